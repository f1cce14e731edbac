import type * as v from 'valibot';
import { type Operation, readsBody } from '../operations/operation.ts';
import { type ProblemCode, problemCodes, problems } from '../operations/problems.ts';
import { alternativesOf, entriesOf, itemOf, unwrap } from '../operations/schema-shape.ts';
import type { Json, TitledSchemas } from './components.ts';
import { errorExample, errorSchemas, inputErrorsSchema, variantSchemas } from './error-schemas.ts';
import { headersWith } from './headers.ts';
import { pascalCase } from './operation-names.ts';

/** The error codes of an operation: its own, and those that follow from its authentication and its input. */
function problemsOf(operation: Operation): readonly ProblemCode[] {
  const { auth, input, output } = operation;
  const hasPath = Object.keys(input.params.entries).length > 0;
  const hasRequired = hasRequiredEntry(input.body) || hasRequiredEntry(input.query);
  const codes = new Set<ProblemCode>([
    ...output.problems,
    ...always,
    ...(hasRequired || Object.keys(input.queryDependencies.requires).length > 0
      ? (['parameter_missing'] as const)
      : []),
    ...(input.queryDependencies.excludes.length > 0 ? (['parameter_conflict'] as const) : []),
    ...(readsBody(operation) ? (['body_invalid', 'body_too_large', 'content_type_unsupported'] as const) : []),
    ...callerProblems(operation),
    ...(auth.kind === 'metered' ? (['rate_limit_exceeded'] as const) : []),
    ...(auth.ssoUser ? ssoProblems[auth.ssoUser] : []),
    ...(auth.ticketLink ? (['link_invalid'] as const) : []),
    // A path with an empty parameter, or with dots, is another path. For SSO operations, an object of someone else looks empty.
    ...(hasPath ? (['route_not_found'] as const) : []),
    ...(hasPath && auth.ssoUser !== 'linked' ? (['resource_not_found'] as const) : []),
    ...headerProblems(operation),
  ]);
  return problemCodes.filter((code) => codes.has(code));
}

/** The problems of the key or token, and of one that is not for the operation. */
function callerProblems({ auth }: Operation): readonly ProblemCode[] {
  if (auth.kind === 'public') return [];
  return [
    ...keyProblems,
    auth.storefront ? 'origin_not_allowed' : 'storefront_not_allowed',
    ...(auth.gates ? [] : (['gate_token_not_allowed'] as const)),
  ];
}

/** The problems of the headers that the operation reads. */
function headerProblems({ input, method }: Operation): readonly ProblemCode[] {
  return [
    ...(input.ifMatch ? (['version_conflict'] as const) : []),
    ...(method === 'POST' ? (['idempotency_mismatch', 'idempotency_in_progress'] as const) : []),
  ];
}

const always = [
  'parameter_unknown',
  'parameter_invalid',
  'parameter_repeated',
  'throttled',
  'internal_error',
  'dependency_unavailable',
] as const;
const keyProblems = [
  'api_key_missing',
  'api_key_malformed',
  'api_key_invalid',
  'api_key_expired',
  'scope_missing',
  'secret_key_in_browser',
] as const;
const ssoProblems = {
  linked: ['sso_token_missing', 'sso_token_invalid', 'sso_user_not_linked'],
  signed_in: ['sso_token_missing', 'sso_token_invalid'],
  optional: ['sso_token_invalid'],
  linked_on_pages: ['sso_token_missing', 'sso_token_invalid', 'sso_user_not_linked'],
} as const;

function hasRequiredEntry(schema: v.GenericSchema): boolean {
  const target = unwrap(schema);
  const entries = Object.values(entriesOf(target) ?? {});
  const item = itemOf(target);
  const inner = [...entries, ...alternativesOf(target), ...(item === undefined ? [] : [item])];
  return entries.some((entry) => entry.type !== 'optional') || inner.some(hasRequiredEntry);
}

/** The codes of most operations. The response with these codes is named by its status alone, any other by the first operation that has it. */
const sharedCodes: Readonly<Record<number, readonly ProblemCode[]>> = {
  400: ['parameter_unknown', 'parameter_invalid', 'parameter_repeated'],
  401: ['api_key_missing', 'api_key_malformed', 'api_key_invalid', 'api_key_expired'],
  403: ['secret_key_in_browser', 'storefront_not_allowed', 'gate_token_not_allowed', 'scope_missing'],
  404: ['resource_not_found', 'route_not_found'],
  409: ['idempotency_mismatch', 'idempotency_in_progress'],
  412: ['version_conflict'],
  413: ['body_too_large'],
  415: ['content_type_unsupported'],
  429: ['rate_limit_exceeded', 'throttled'],
  500: ['internal_error'],
  503: ['dependency_unavailable'],
};

interface ErrorResponse {
  readonly status: number;
  readonly codes: readonly ProblemCode[];
  /** The names of the response and of its schema. */
  readonly name: string;
  readonly schema: string;
}

/** The error responses of operations. Those with the same status and the same codes share one. */
export interface ErrorResponses {
  readonly responses: Readonly<Record<string, Json>>;
  readonly schemas: Readonly<Record<string, Json>>;
  /** One of each code, with what it means. */
  readonly examples: Readonly<Record<string, Json>>;
  /** References to the responses of an operation, by status. */
  readonly referencesOf: (operation: Operation) => Json;
}

export function errorResponses(operations: readonly Operation[], titled: TitledSchemas): ErrorResponses {
  const known = new Map<string, ErrorResponse>();
  for (const operation of operations) {
    for (const { status, codes } of errorsOf(operation)) {
      if (!known.has(codes.join())) known.set(codes.join(), { status, codes, ...namesOf(status, codes, operation) });
    }
  }
  const errors = [...known.values()].sort((a, b) => a.status - b.status);
  const codes = problemCodes.filter((code) => errors.some((error) => error.codes.includes(code)));
  return {
    responses: Object.fromEntries(errors.map((error) => [error.name, responseOf(error)])),
    schemas: {
      ...inputErrorsSchema(codes),
      ...variantSchemas(titled),
      ...Object.assign({}, ...errors.map(({ schema, status, codes }) => errorSchemas(schema, status, codes))),
    },
    examples: Object.fromEntries(codes.map((code) => [code, errorExample(code)])),
    referencesOf: (operation) =>
      Object.fromEntries(
        errorsOf(operation).map((error) => [
          error.status,
          { $ref: `#/components/responses/${known.get(error.codes.join())?.name}` },
        ]),
      ),
  };
}

/** The codes of an operation by status. A code has one status, so its codes identify a response. */
function errorsOf(operation: Operation): readonly Pick<ErrorResponse, 'status' | 'codes'>[] {
  const byStatus = Map.groupBy(problemsOf(operation), (code): number => problems[code].status);
  return [...byStatus].map(([status, codes]) => ({ status, codes })).sort((a, b) => a.status - b.status);
}

function namesOf(
  status: number,
  codes: readonly ProblemCode[],
  { id }: Operation,
): Pick<ErrorResponse, 'name' | 'schema'> {
  return sharedCodes[status]?.join() === codes.join()
    ? { name: String(status), schema: `Error${status}` }
    : { name: `${id}-${status}`, schema: `${pascalCase(id)}Error${status}` };
}

const statusesToRetry = new Set<number>([409, 429, 503]);

/** The error responses that are stored for an Idempotency-Key (shared/http/middleware/idempotency.ts). The others precede that check or can be retried. A 403 is not stored any more; the contract of 0.1.0 has its header. */
const statusesKept = new Set<number>([400, 402, 403, 404]);

function responseOf({ status, codes, schema }: ErrorResponse): Json {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...headersWith([
      ...(statusesToRetry.has(status) ? ['Retry-After'] : []),
      ...(statusesKept.has(status) ? ['Idempotency-Replayed'] : []),
    ]),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
