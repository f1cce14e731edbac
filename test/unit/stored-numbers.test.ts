import type * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../shared/http/middleware/parse-input.ts';
import { Problem, type ProblemDetail } from '../../shared/http/problem.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { alternativesOf, entriesOf, itemOf, mapValueOf, unwrap } from '../../shared/operations/schema-shape.ts';
import { apiEvent } from '../../tools/fixtures/api-event.ts';
import { bodyOf } from '../../tools/fixtures/contract/examples.ts';

type Path = readonly (string | number)[];

/** The path of every number in a schema. */
function numberPaths(schema: v.GenericSchema, path: Path = []): Path[] {
  const target = unwrap(schema);
  if (target.type === 'number') return [path];
  const item = itemOf(target);
  const value = mapValueOf(target);
  return [
    ...(item === undefined ? [] : numberPaths(item, [...path, 0])),
    ...(value === undefined ? [] : numberPaths(value, [...path, 'points'])),
    ...alternativesOf(target).flatMap((alternative) => numberPaths(alternative, path)),
    ...Object.entries(entriesOf(target) ?? {}).flatMap(([name, entry]) => numberPaths(entry, [...path, name])),
  ];
}

const numbers = operations.flatMap((operation) =>
  numberPaths(operation.input.body).map((path) => ({ operation, path, name: `${operation.id} ${nameOf(path)}` })),
);

function nameOf(path: Path): string {
  return path
    .map((name) => (typeof name === 'number' ? `[${name}]` : `.${name}`))
    .join('')
    .slice(1);
}

function withValue(body: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const base =
    Array.isArray(body) || typeof name === 'number' ? [...(Array.isArray(body) ? body : [])] : { ...Object(body) };
  return Object.assign(base, { [name]: withValue(Reflect.get(base, name), rest, value) });
}

async function refusals(operation: Operation, body: string): Promise<readonly ProblemDetail[]> {
  const event = apiEvent({
    pathParameters: Object.fromEntries(Object.keys(operation.input.params.entries).map((name) => [name, '7'])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  try {
    await parseInput(operation).before?.({ event } as never);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.details;
  }
}

/** 2 to the power of 53 is the first integer whose neighbour is lost. */
const unstorable = ['9007199254740992', '-9007199254740992', '1e20', '1e308', '-1e308', '1e999', '1e-308', '-1e-131'];

describe('a number of a body that the table cannot store exactly is refused', () => {
  it('there are such numbers to test', () => expect(numbers.length).toBeGreaterThan(50));

  it.each(numbers)('$name', async ({ operation, path }) => {
    for (const text of unstorable) {
      const body = JSON.stringify(withValue(bodyOf(operation, 'org_mine'), path, 'THE NUMBER'));
      const refused = await refusals(operation, body.replace('"THE NUMBER"', text));
      const found = refused.map(({ code, param }) => `${code} ${param}`);
      expect(found, text).toContain(`parameter_invalid ${nameOf(path)}`);
    }
  });
});
