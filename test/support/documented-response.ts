import type { ValidateFunction } from 'ajv';
import { expect } from 'vitest';
import { withInherited } from '../../shared/openapi/extensions.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import { fieldsOf } from './fields-of.ts';
import { at, document, type Json, jsonSchemaValidator } from './openapi-inputs.ts';
import type { ServiceResponse } from './service.ts';

/** Compiled once: every validator refers to it. A client accepts fields that are new to it; here, each one must be documented. */
const ajv = jsonSchemaValidator().addSchema(closed(document), 'openapi');

/** The document, of which no object has more fields than it names, unless it says so. */
function closed(whole: Json): Json {
  const node = withInherited(whole, ({ $ref }) => at(document, ...String($ref).replace('#/', '').split('/')));
  const inner = Object.entries(node).map(([name, value]) => [name, closedValue(value)]);
  const isNamed = node.type === 'object' && Object.keys(Object(node.properties)).length > 0;
  return { ...(isNamed && { additionalProperties: false }), ...Object.fromEntries(inner) };
}

function closedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedValue);
  return isRecord(value) ? closed(value) : value;
}

/** The place of a response in the document: most errors are references. */
function placeOf({ id, method }: Operation, path: string, status: number): readonly string[] {
  const responses = ['paths', path, method.toLowerCase(), 'responses'];
  const found = at(document, ...responses)[status];
  if (!isRecord(found)) throw new Error(`The document has no status ${status} for ${id}.`);
  return typeof found.$ref === 'string' ? found.$ref.replace('#/', '').split('/') : [...responses, String(status)];
}

/** Checks the body of an error against the OpenAPI document: its code and each of its fields. */
export function expectDocumentedError(operation: Operation, status: number, body: unknown): void {
  const place = placeOf(operation, operation.paths[0], status);
  const validate = validatorOf([...place, 'content', 'application/json', 'schema']);
  if (!validate(body)) {
    const found = `${operation.id} answers ${status} with what the OpenAPI document does not have`;
    throw new Error(`${found}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(body)}`);
  }
}

/** Checks a response against the OpenAPI document: its status, its body and its headers. */
export function expectDocumented(operation: Operation, path: string, response: ServiceResponse): void {
  const place = placeOf(operation, path, response.status);
  const { headers, content } = at(document, ...place);
  const name = `${operation.id} ${path} ${response.status}`;
  if (content === undefined) expect(response.body, name).toBeUndefined();
  else {
    const [mediaType = ''] = Object.keys(fieldsOf(content));
    expect(response.headers.get('Content-Type'), name).toMatch(new RegExp(`^${mediaType}(;|$)`));
    const validate = validatorOf([...place, 'content', mediaType, 'schema']);
    expect(validate(response.body), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
  }
  const sent = [...response.headers.keys()].filter((header) => common.test(header));
  const named = { ...fieldsOf(headers ?? {}), ...at(document, 'x-response-headers') };
  const documented = Object.keys(named).map((header) => header.toLowerCase());
  expect(documented).toEqual(expect.arrayContaining(sent));
}

const validators = new Map<string, ValidateFunction>();

/** The validator of the schema at this place of the document. */
function validatorOf(place: readonly string[]): ValidateFunction {
  const pointer = place.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` });
  validators.set(pointer, validate);
  return validate;
}

/** The headers of the service itself, not those of HTTP. */
const common =
  /^(request-id|retry-after|idempotency-replayed|x-ratelimit-|ratelimit|etag|cache-control|vary|access-control-)/;
