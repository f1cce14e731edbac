import { withInherited } from '../../shared/openapi/extensions.ts';
import { type Direction, differences, type Schema } from './compare-schemas.ts';

/** The parts of an OpenAPI document that clients depend on. */
export type Document = Readonly<Record<string, unknown>>;

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Lists every change by which a client of the released contract could fail, one line each. */
export function breakingChanges(released: Document, current: Document): string[] {
  const changes = operationsOf(released).flatMap(([name, before]) => {
    const after = operationsOf(current).find(([other]) => other === name)?.[1];
    if (after === undefined) return [`${name}: was removed`];
    return [
      ...compareIds(before, after),
      ...compareParameters(before, after, { released, current }),
      ...compareRequests(before, after, { released, current }),
      ...compareResponses(before, after, { released, current }),
    ].map((change) => `${name}: ${change}`);
  });
  return [...new Set(changes)];
}

interface Documents {
  readonly released: Document;
  readonly current: Document;
}

/** The operations, and the webhooks, whose requests are what receivers read. */
function operationsOf(document: Document): [string, Document][] {
  const of = (group: string): [string, Document][] =>
    Object.entries(child(document, group)).flatMap(([path, item]) =>
      methods.flatMap((method): [string, Document][] => {
        const operation = child(item, method);
        return Object.keys(operation).length === 0 ? [] : [[`${method.toUpperCase()} ${path}`, operation]];
      }),
    );
  const webhooks = of('webhooks').map(([name, operation]): [string, Document] => [
    name.replace('POST ', 'webhook '),
    { responses: { sent: child(operation, 'requestBody') } },
  ]);
  return [...of('paths'), ...webhooks];
}

function compareIds(before: Document, after: Document): string[] {
  return before.operationId === after.operationId ? [] : [`operationId changed to ${String(after.operationId)}`];
}

function compareParameters(before: Document, after: Document, documents: Documents): string[] {
  const known = parametersOf(before, documents.released);
  const offered = parametersOf(after, documents.current);
  const found: string[] = [];
  for (const [name, parameter] of known) {
    const counterpart = offered.get(name);
    if (counterpart === undefined) found.push(`${name}: was removed`);
    else found.push(...compare('request', [child(parameter, 'schema'), child(counterpart, 'schema')], name, documents));
  }
  for (const [name, parameter] of offered) {
    if (parameter.required === true && known.get(name)?.required !== true) found.push(`${name}: is required now`);
  }
  return found;
}

function parametersOf(operation: Document, document: Document): Map<string, Document> {
  const list = Array.isArray(operation.parameters) ? operation.parameters : [];
  return new Map(
    list.map((parameter) => {
      const resolved = resolveIn(document, parameter);
      return [`${String(resolved.in)} parameter ${String(resolved.name)}`, resolved];
    }),
  );
}

function compareRequests(before: Document, after: Document, documents: Documents): string[] {
  const known = resolveIn(documents.released, before.requestBody);
  const offered = resolveIn(documents.current, after.requestBody);
  const isRequired = offered.required === true && known.required !== true;
  return [
    ...(isRequired ? ['a request body is required now'] : []),
    ...compareContents('request', child(known, 'content'), child(offered, 'content'), documents).map(
      (change) => `request ${change}`,
    ),
  ];
}

function compareResponses(before: Document, after: Document, documents: Documents): string[] {
  return Object.entries(child(before, 'responses')).flatMap(([status, response]) => {
    const counterpart = child(after, 'responses')[status];
    const what = status === 'sent' ? 'body' : `response ${status}`;
    if (counterpart === undefined) return [`${what}: was removed`];
    const [known, offered] = [resolveIn(documents.released, response), resolveIn(documents.current, counterpart)];
    const headers = headersOf(known, documents.released).filter(
      (name) => !headersOf(offered, documents.current).includes(name),
    );
    return [
      ...headers.map((name) => `header ${name}: was removed`),
      ...compareContents('response', child(known, 'content'), child(offered, 'content'), documents),
    ].map((change) => `${what} ${change}`);
  });
}

/** The headers that a response names, and those that the document states once for every response. */
function headersOf(response: Document, document: Document): string[] {
  return Object.keys({ ...child(response, 'headers'), ...child(document, 'x-response-headers') });
}

function compareContents(direction: Direction, before: Document, after: Document, documents: Documents): string[] {
  return Object.entries(before).flatMap(([type, media]) => {
    if (after[type] === undefined) return [`${type}: was removed`];
    const [known, offered] = [child(media, 'schema'), child(after[type], 'schema')];
    const schemas =
      direction === 'response'
        ? ([withoutVariants(known, documents.released), withoutVariants(offered, documents.current)] as const)
        : ([known, offered] as const);
    const changes = compare(direction, schemas, '', documents);
    return changes.map((change) => `${type} ${change}`);
  });
}

function compare(
  direction: Direction,
  [before, after]: readonly [Schema, Schema],
  path: string,
  documents: Documents,
): string[] {
  const { released, current } = documents;
  const isRequest = direction === 'request';
  const [narrow, wide] = isRequest ? [released, current] : [current, released];
  return differences(isRequest ? before : after, isRequest ? after : before, path, {
    direction,
    resolve: (side, schema) => resolveIn(side === 'narrow' ? narrow : wide, schema),
  });
}

/** An error with its variants as one object: a client that knows no variants finds each code, and a field of one code may be missing. */
function withoutVariants(schema: Document, document: Document): Document {
  const { anyOf } = resolveIn(document, schema);
  const variants = Array.isArray(anyOf) ? anyOf.map((variant) => resolveIn(document, variant)) : [];
  const details = variants.map((variant) => child(child(variant, 'properties'), 'error'));
  if (variants.length === 0 || details.some((detail) => Object.keys(detail).length === 0)) return schema;
  const valuesOf = (name: string) =>
    details.flatMap((detail) => child(child(detail, 'properties'), name).enum).filter((value) => value !== undefined);
  const enumOf = (name: string) => ({ type: 'string', enum: [...new Set(valuesOf(name))] });
  const error = {
    ...details[0],
    properties: { ...child(details[0], 'properties'), code: enumOf('code'), type: enumOf('type') },
  };
  const properties = Object.assign({}, ...variants.map((variant) => child(variant, 'properties')), { error });
  return { type: 'object', properties, required: ['error'] };
}

/** Follows references, which all point into the same document. */
function resolveIn(document: Document, value: unknown): Document {
  const object = asObject(value);
  if (typeof object.$ref !== 'string') return withInherited(object, (base) => resolveIn(document, base));
  const steps = object.$ref
    .replace('#/', '')
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return resolveIn(
    document,
    steps.reduce<Document>((inner, step) => child(inner, step), document),
  );
}

function child(value: unknown, name: string): Document {
  return asObject(asObject(value)[name]);
}

function asObject(value: unknown): Document {
  return typeof value === 'object' && value !== null ? (value as Document) : {};
}
