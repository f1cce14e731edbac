import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coerceText } from '../../shared/http/input/coerce.ts';
import { parseInput } from '../../shared/http/middleware/parse-input.ts';
import { Problem, type ProblemDetail } from '../../shared/http/problem.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { problemCodes } from '../../shared/operations/problems.ts';
import { operations } from '../../shared/operations/registry.ts';
import { entriesOf, isRecord } from '../../shared/operations/schema-shape.ts';
import { apiEvent } from '../../tools/fixtures/api-event.ts';
import { bodyOf, formOf } from '../../tools/fixtures/contract/examples.ts';
import { exceptionFor, readExceptions } from '../../tools/schemathesis/exceptions.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { valuesOf } from '../support/json-schema-arbitrary.ts';
import { documentedInput, type Json, jsonSchemaValidator, type Media } from '../support/openapi-inputs.ts';
import { amount } from '../support/thorough.ts';

const exceptions = readExceptions();
const ajv = jsonSchemaValidator();

interface Sent {
  readonly query?: Json;
  readonly body?: { readonly media: Media; readonly fields: Json };
}

/** What the service refuses before it calls the handler. */
async function refusals(
  operation: Operation,
  { query = {}, body = exampleBody(operation) }: Sent,
): Promise<readonly ProblemDetail[]> {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const event = apiEvent({
    pathParameters: Object.fromEntries(Object.keys(operation.input.params.entries).map((name) => [name, '7'])),
    queryStringParameters: texts,
    multiValueQueryStringParameters: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, [text]])),
    headers: { 'Content-Type': body?.media },
    body: body === undefined ? null : encoded(body.media, body.fields),
  });
  try {
    await parseInput(operation).before?.({ event } as never);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.details;
  }
}

/** A query is sent with the body that its operation needs besides. */
function exampleBody(operation: Operation): Sent['body'] {
  const fields = bodyOf(operation, 'org_a');
  return Object.keys(fields).length === 0 ? undefined : { media: 'application/json', fields };
}

/** The refusals that docs/contract-exceptions.md does not list. */
function unlisted({ id }: Operation, details: readonly ProblemDetail[]): readonly ProblemDetail[] {
  const check = 'positive_data_acceptance';
  return details.filter((detail) => !exceptionFor(exceptions, { check, operation: id, ...detail }));
}

/** Whether service and document agree: the service refuses what is invalid, and what is valid only for a listed reason. */
function agree(operation: Operation, isValid: boolean, refused: readonly ProblemDetail[]): boolean {
  return isValid ? unlisted(operation, refused).length === 0 : refused.length > 0;
}

const encoded = (media: Media, fields: Json): string =>
  media === 'application/json' ? JSON.stringify(fields) : formOf(fields);

const random = { numRuns: amount(6, 60) };
/** Of many values, each field gets others: every eighth in `npm test`, all in `npm run test:faults`. */
const sampled = <Value>(values: readonly Value[], field: number): readonly Value[] =>
  values.filter((_, index) => (index + field) % amount(8, 1) === 0);

const withQuery = operations.filter(({ input }) => Object.keys(input.query.entries).length > 0);
const withBody = operations.filter(({ input }) => Object.keys(input.body.entries).length > 0);

describe('a request that is valid by the OpenAPI document passes the validation of the service', () => {
  it.each(withQuery)('query of $id', async (operation) => {
    const { query: schema } = documentedInput(operation);
    const isValid = ajv.compile(schema);
    const queries = valuesOf(schema).filter((query) => isValid(query));
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        expect(unlisted(operation, await refusals(operation, { query: fieldsOf(query) }))).toEqual([]);
      }),
      random,
    );
  });

  const bodies = withBody.flatMap((operation) =>
    (['application/json', 'application/x-www-form-urlencoded'] as const).map((media) => ({
      id: operation.id,
      media,
      operation,
    })),
  );
  it.each(bodies)('$media body of $id', async ({ operation, media }) => {
    const schema = documentedInput(operation).body(media);
    const isValid = ajv.compile(schema);
    await fc.assert(
      fc.asyncProperty(valuesOf(schema), async (fields) => {
        expect(isValid(fields), JSON.stringify(isValid.errors)).toBe(true);
        const refused = unlisted(operation, await refusals(operation, { body: { media, fields: fieldsOf(fields) } }));
        // A form cannot say that a list is empty.
        const isLost = encoded(media, fieldsOf(fields)) === '';
        expect(refused.filter(({ code }) => !(isLost && code === 'parameter_missing'))).toEqual([]);
      }),
      random,
    );
  });
});

const long = [99, 100, 101, 199, 200, 201, 254, 255, 256, 500, 501, 1_000, 1_001, 2_048, 2_049];
const hostile: readonly unknown[] = [
  ...['', ' ', '\u3000', '\u0000', 'a\u0000b', 'a\tb', 'a\r\nb', '\u0085', 'a\u007f', 'Ren\uFFFD', '\u2028', 'ok'],
  ...long.flatMap((count) => ['x'.repeat(count), '😀'.repeat(count), `${'x'.repeat(count - 2)}@y`]),
  ...['ada@example.com', 'josé@exämple.de', 'a@b', 'no-at', '@b', 'a@', 'a b@c.de', 'a@b@c.de', 'a..b@c.de', '.a@c.de'],
  ...['a@b..c', 'a@-b.c', 'a@b-', '"a b"@c.de', 'a@[127.0.0.1]', 'a\u0000@b.c', "o'brien+tag@example.co.uk"],
  ...['https://hooks.example.com', 'https://hooks.example.com:8443/a?b=c#d', 'https://[2606:4700::1111]/', 'https://'],
  ...['http://hooks.example.com/', 'http://127.0.0.1:4000/', 'ftp://hooks.example.com/', 'hooks.example.com', '//a.b'],
  ...['https://user:secret@hooks.example.com/', 'https://hooks.example.com/a b', ' https://a.b', 'https://a.b\\@c.d/'],
  ...['2026-02-28', '2026-02-30', '2024-02-29', '2026-13-01', '20260228', '2026-2-8', '2026-02-28T00:00:00Z'],
  ...[0, 1, -1, 1.5, 2, 3, 4, 40, 41, 100, 101, 500, 501, 999, 1_000, 2_500, 2_501, 999_999_999, 1e9],
  ...[9_999_999_999, 1e10, 2 ** 53 - 1, 2 ** 53, 1e21, -(2 ** 53), 0.1],
  ...['1', '0', '-1', '1.5', '9007199254740991', '9007199254740993', '1e3', '+1', '01', 'true', 'yes', 'asc', 'all'],
  ...[true, false, null, [], {}, [null], [1], ['*'], ['order.*', 'no-such'], Array(20).fill('*'), Array(21).fill('*')],
  ...[{ unknown: 1 }, [{}], [{ membership_member_id: '7' }], [{ membership_member_id: 7, unknown: 1 }]],
];

/** The path of every field in a schema, nested ones included. */
function fieldPaths(schema: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const items = isRecord(schema.items) ? fieldPaths(schema.items, [...path, 0]) : [];
  const fields = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  // An object that can be null is one of two.
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isRecord) : [];
  return [
    ...items,
    ...choices.flatMap((choice) => fieldPaths(choice, path)),
    ...fields.flatMap(([name, inner]) => [
      [...path, name],
      ...(isRecord(inner) ? fieldPaths(inner, [...path, name]) : []),
    ]),
  ];
}

function withValue(body: unknown, [name, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (name === undefined) return value;
  const base = Array.isArray(body) ? [...body] : { ...Object(body) };
  return Object.assign(base, { [name]: withValue(Reflect.get(base, name), rest, value) });
}

describe('the service refuses exactly what the OpenAPI document refuses', () => {
  it.each(withBody)('each field of the body of $id, with hostile values', async (operation) => {
    const media = 'application/json';
    const schema = documentedInput(operation).body(media);
    const isValid = ajv.compile(schema);
    const example = bodyOf(operation, 'org_mine');
    const paths = fieldPaths(schema);
    const bodies = [
      example,
      {},
      { ...example, no_such_field: 1 },
      ...paths.flatMap((path, field) => sampled(hostile, field).map((value) => withValue(example, path, value))),
      ...Object.keys(example).map((name) => withValue(example, [name], undefined)),
    ];
    const different: unknown[] = [];
    for (const sent of bodies) {
      const fields: Json = JSON.parse(JSON.stringify(sent));
      const refused = await refusals(operation, { body: { media, fields } });
      if (!agree(operation, isValid(fields), refused)) different.push({ fields, refused, errors: isValid.errors });
    }
    expect(different.slice(0, 5)).toEqual([]);
    expect(bodies.length).toBeGreaterThan(sampled(hostile, 0).length);
  });

  it.each(withQuery)('each parameter of the query of $id, with hostile values', async (operation) => {
    const { query: schema } = documentedInput(operation);
    const isValid = ajv.compile(schema);
    const texts = hostile.filter((value) => typeof value !== 'object').map(String);
    const names = Object.keys(entriesOf(operation.input.query) ?? {});
    const queries: Json[] = [
      {},
      { no_such_parameter: '1' },
      ...names.flatMap((name, field) => sampled(texts, field).map((text) => ({ [name]: text }))),
      ...names.flatMap((name) => names.map((other) => ({ [name]: '1', [other]: '1' }))),
    ];
    const different: unknown[] = [];
    for (const query of queries) {
      // The document describes values; a query carries their text.
      const meant = coerceText(operation.input.query, query, 'text');
      const refused = await refusals(operation, { query });
      if (!agree(operation, isValid(meant), refused)) different.push({ query, refused });
    }
    expect(different.slice(0, 5)).toEqual([]);
  });
});

describe('docs/contract-exceptions.md', () => {
  it.each(exceptions)(
    '$check of $operation: $code of $param names what exists',
    ({ operation, code, param, reason }) => {
      expect(problemCodes).toContain(code);
      expect(reason).not.toBe('');
      if (operation === '*') return;
      const entry = operations.find(({ id }) => id === operation);
      if (entry === undefined) throw new Error(`There is no operation ${operation}.`);
      const { query, body } = entry.input;
      const bodyPaths =
        Object.keys(body.entries).length > 0 ? fieldPaths(documentedInput(entry).body('application/json')) : [];
      const names = [
        ...Object.keys(query.entries),
        ...bodyPaths.map(nameOf),
        ...bodyPaths.map((path) => `${nameOf(path)}[]`),
      ];
      // A body as a whole has no name.
      expect([...names, '', '*']).toContain(param);
    },
  );
});

function nameOf(path: readonly (string | number)[]): string {
  return path
    .map((name) => (typeof name === 'number' ? '[]' : `.${name}`))
    .join('')
    .slice(1);
}
