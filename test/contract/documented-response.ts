import type { ValidateFunction } from 'ajv';
import { expect } from 'vitest';
import { openApiDocument } from '../../shared/openapi/document.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { at, type Json, jsonSchemaValidator } from '../support/openapi-inputs.ts';
import { probe } from '../support/probe-operation.ts';
import type { ServiceResponse } from '../support/service.ts';

const document = openApiDocument([...operations, probe], 'https://api.example.com');
const ajv = jsonSchemaValidator();
const validators = new Map<string, ValidateFunction>();

/** Checks a response against the OpenAPI document: its status, its body and its headers. */
export function expectDocumented(operation: Operation, path: string, response: ServiceResponse): void {
  const responses = at(document, 'paths', path, operation.method.toLowerCase(), 'responses');
  const found = responses[response.status];
  if (!isRecord(found)) throw new Error(`The document has no status ${response.status} for ${operation.id}.`);
  const { headers, content } = resolved(found);
  const name = `${operation.id} ${path} ${response.status}`;
  if (content === undefined) expect(response.body, name).toBeUndefined();
  else {
    const validate = validators.get(name) ?? ajv.compile(schemaOf(content));
    validators.set(name, validate);
    expect(validate(response.body), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
  }
  const sent = [...response.headers.keys()].filter((header) => common.test(header));
  const documented = Object.keys(fieldsOf(headers)).map((header) => header.toLowerCase());
  expect(documented).toEqual(expect.arrayContaining(sent));
}

/** The headers of the service itself, not those of HTTP. */
const common =
  /^(request-id|retry-after|idempotency-replayed|x-ratelimit-|ratelimit|etag|cache-control|vary|access-control-)/;

function resolved(node: Json): Json {
  return typeof node.$ref === 'string' ? at(document, ...node.$ref.replace('#/', '').split('/')) : node;
}

/** References in a schema of the document start at its root. */
function schemaOf(content: unknown): Json {
  return { ...at(fieldsOf(content), 'application/json', 'schema'), components: document.components };
}
