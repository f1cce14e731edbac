import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseOutput } from '../../shared/http/parse-output.ts';
import { operations } from '../../shared/operations/registry.ts';

const recorded: { operations: Record<string, { response?: unknown }> } = JSON.parse(
  readFileSync(new URL('../../shared/openapi/recorded-calls.json', import.meta.url), 'utf8'),
);
const outputs = operations.flatMap(({ id, output }) => {
  const { response } = recorded.operations[id] ?? {};
  return response === undefined ? [] : [{ id, schema: output.schema, response }];
});

/** The JSON of the parsed output, or that it was refused. */
function textOf(parse: () => unknown): string {
  try {
    return JSON.stringify(parse());
  } catch (error) {
    return error instanceof v.ValiError ? `refused: ${error.message}` : 'another error';
  }
}

const wrongValues = [undefined, null, '', 'text', 0, -1, 0.5, Number.NaN, true, [], {}, '2026-02-30'];

/** Copies of an output, each with another value in one of its fields, without it, after the others, or with one more. */
function* changed(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const one of changed(value[0])) yield [one, ...value.slice(1)];
    return;
  }
  const fields: Record<string, unknown> = Object(value);
  yield { ...fields, one_more: 1 };
  for (const [name, field] of Object.entries(fields)) {
    const { [name]: _, ...others } = fields;
    yield others;
    yield { ...others, [name]: field };
    for (const wrong of wrongValues) yield { ...fields, [name]: wrong };
    for (const one of changed(field)) yield { ...fields, [name]: one };
  }
}

describe('parsing the output of an operation', () => {
  it.each(outputs)('the output of $id, and every change of a field of it, is parsed as valibot parses it', (one) => {
    const { schema, response } = one;
    for (const output of [response, ...changed(response)]) {
      expect(textOf(() => parseOutput(schema, output))).toBe(textOf(() => v.parse(schema, output)));
    }
  });

  it.each(['list-members', 'list-customers', 'list-event-scans', 'list-event-orders'])(
    'a correct page of %s is not copied',
    (id) => {
      const { schema, response } = outputs.find((one) => one.id === id) ?? {};
      expect(schema).toBeDefined();
      if (schema !== undefined) expect(parseOutput(schema, response)).toBe(response);
    },
  );
});
