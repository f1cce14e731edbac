import type { ValidateFunction } from 'ajv';
import { expect } from 'vitest';
import type { Operation } from '../../shared/operations/operation.ts';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { at, document, jsonSchemaValidator } from '../support/openapi-inputs.ts';
import type { ServiceResponse } from '../support/service.ts';

/** Compiled once: every validator refers to it. */
const ajv = jsonSchemaValidator().addSchema(document, 'openapi');

/** Checks a response against the OpenAPI document: its status, its body and its headers. */
export function expectDocumented(operation: Operation, path: string, response: ServiceResponse): void {
  const responses = ['paths', path, operation.method.toLowerCase(), 'responses'];
  const found = at(document, ...responses)[response.status];
  if (!isRecord(found)) throw new Error(`The document has no status ${response.status} for ${operation.id}.`);
  const place =
    typeof found.$ref === 'string' ? found.$ref.replace('#/', '').split('/') : [...responses, String(response.status)];
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
  const documented = Object.keys(fieldsOf(headers)).map((header) => header.toLowerCase());
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
