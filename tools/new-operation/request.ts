import type { Operation } from '../../shared/operations/operation.ts';

type Method = Operation['method'];

export interface OperationRequest {
  readonly resource: string;
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  /** The names of the path's parameters, in their order. */
  readonly params: readonly string[];
  /** The noun whose schema the response has, or `none` for a schema of its own. */
  readonly uses?: string | undefined;
}

/** Where the schema of the response comes from. */
export type ResponseSchema =
  /** Files of its own; an earlier operation of the noun may have written them. */
  | { readonly kind: 'own'; readonly files: Readonly<Record<string, string>> }
  /** A placeholder in the entry. */
  | { readonly kind: 'inline' }
  /** A schema that exists, `Member` of the noun `member`, and its first field. Where only the record exists, files with the rest. */
  | {
      readonly kind: 'used';
      readonly noun: string;
      readonly schema: string;
      readonly field: string;
      readonly files: Readonly<Record<string, string>>;
    };

export interface RefusedRequest {
  /** One sentence that says what is wrong and what to write instead. */
  readonly refusal: string;
}

type KnownOperation = Pick<Operation, 'id' | 'resource' | 'method' | 'paths'>;

const usage =
  'Usage: npm run new-operation -- <resource> <operation-id> <METHOD> <path> [--uses <noun>], such as: gadgets retrieve-gadget GET /v1/gadgets/{gadget_id}';
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const kebabCase = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const verbNoun = /^[a-z]+(-[a-z0-9]+)+$/;
const pathForm = /^\/v1(\/[a-z][a-z0-9_]*|\/\{[a-z][a-z0-9_]*\})+$/;

/** What to generate, or why it cannot be generated. */
export function readRequest(
  args: readonly string[],
  operations: readonly KnownOperation[],
): OperationRequest | RefusedRequest {
  const at = args.indexOf('--uses');
  const [resource, id, methodText, path, ...more] = at === -1 ? args : args.toSpliced(at, 2);
  const uses = at === -1 ? undefined : (args[at + 1] ?? '');
  if (resource === undefined || id === undefined || methodText === undefined || path === undefined || more.length > 0) {
    return { refusal: usage };
  }
  const method = methods.find((known) => known === methodText.toUpperCase());
  if (method === undefined) return { refusal: `The method ${methodText} is not one of ${methods.join(', ')}.` };
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const request = { resource, id, method, path, params, uses };
  const refusal = formProblem(request) ?? conflict(request, operations);
  return refusal === undefined ? request : { refusal };
}

function formProblem({ resource, id, path, params }: OperationRequest): string | undefined {
  if (!kebabCase.test(resource)) return `The resource ${resource} is not in kebab-case, such as members or rate-limit.`;
  if (!verbNoun.test(id))
    return `The operation id ${id} is not a verb and a noun in kebab-case, such as retrieve-member.`;
  if (!pathForm.test(path)) {
    return `The path ${path} is not /v1/ with segments in snake_case, such as /v1/members/{membership_member_id}.`;
  }
  if (id.startsWith('list-') && path.endsWith('}')) {
    return `The path ${path} names one object, and ${id} lists several: end the path with the collection, such as /v1/members.`;
  }
  const [repeated] = params.filter((name, index) => params.indexOf(name) !== index);
  return repeated === undefined ? undefined : `The path ${path} has the parameter ${repeated} twice.`;
}

function conflict({ id, method, path }: OperationRequest, operations: readonly KnownOperation[]): string | undefined {
  const known = operations.find((operation) => operation.id === id);
  if (known !== undefined) return `The operation ${id} exists: shared/operations/${known.resource}/${id}.ts.`;
  const taken = operations.find(
    (operation) => operation.method === method && operation.paths.some((other) => shapeOf(other) === shapeOf(path)),
  );
  if (taken !== undefined) {
    return `${method} ${path} is the operation ${taken.id} already: shared/operations/${taken.resource}/${taken.id}.ts.`;
  }
  return operations.flatMap(({ paths }) => paths.map((other) => otherName(path, other))).find(isText);
}

const isText = (text: string | undefined): text is string => text !== undefined;

/** Two paths with the same shape are the same route, whatever their parameters are called. */
function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

/** API Gateway allows one name for a parameter below the same segments. */
function otherName(path: string, other: string): string | undefined {
  const [segments, others] = [path.split('/'), other.split('/')];
  const first = segments.findIndex((segment, index) => segment !== others[index]);
  const [own, their] = [segments[first], others[first]];
  if (!own?.startsWith('{') || !their?.startsWith('{')) return undefined;
  return `The parameter ${own} is called ${their} in ${other}: use that name, because API Gateway allows one parameter name at a position.`;
}
