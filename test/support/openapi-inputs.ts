import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../shared/openapi/document.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import { probe } from './probe-operation.ts';

export type Json = Readonly<Record<string, unknown>>;
export type Media = 'application/json' | 'application/x-www-form-urlencoded';

/** What the OpenAPI document says about the input of one operation. */
export interface DocumentedInput {
  readonly query: Json;
  body(media: Media): Json;
}

/** The document of all operations and of the probe, with its shared parameters, bodies and texts in their places. */
export const document = resolved(openApiDocument([...operations, probe], 'https://api.example.com'));

/** A document in which the references of paths to what operations share are replaced by it. Those between schemas stay. */
export function resolved(document: Json): Json {
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace);
    if (!isRecord(value)) return value;
    const { $ref, ...beside } = value;
    const [, group = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(String($ref)) ?? [];
    const isShared =
      ['parameters', 'requestBodies', 'responses', 'examples'].includes(group) || /(Text|Value)\d*$/.test(name);
    if (isShared) return { ...record(inPlace(at(document, 'components', group, name))), ...beside };
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inPlace(inner)]));
  };
  return { ...document, paths: inPlace(document.paths), webhooks: inPlace(document.webhooks) };
}

function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

export function documentedInput(operation: Operation): DocumentedInput {
  const described = at(document, 'paths', operation.paths[0], operation.method.toLowerCase());
  const parameters: unknown = described.parameters;
  const query = (Array.isArray(parameters) ? parameters : []).filter((parameter) => parameter.in === 'query');
  return {
    query: {
      type: 'object',
      properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
      required: query.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
      ...(isRecord(described['x-query-schema']) && described['x-query-schema']),
    },
    body: (media) => at(described, 'requestBody', 'content', media, 'schema'),
  };
}

/** The object at this path of a document. */
export function at(document: Json, ...path: readonly string[]): Json {
  return path.reduce<Json>((node, name) => {
    const next = node[name];
    if (!isRecord(next)) throw new Error(`The document has no ${path.join(' > ')}.`);
    return next;
  }, document);
}

/** A validator of JSON Schema 2020-12 that also checks formats. Most schemas check a few values, so optimized code costs more than it saves. */
export function jsonSchemaValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } });
  addFormats.default(ajv);
  // ajv-formats does not have these. The pattern beside each of them decides.
  for (const format of ['idn-email', 'iri']) ajv.addFormat(format, true);
  return ajv;
}
