import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, it } from 'vitest';

const Document = v.object({
  paths: v.record(v.string(), v.record(v.string(), v.looseObject({ responses: v.record(v.string(), v.unknown()) }))),
  components: v.looseObject({ responses: v.record(v.string(), v.looseObject({ description: v.string() })) }),
});
const { paths, components } = v.parse(Document, JSON.parse(readFileSync('docs/openapi.json', 'utf8')));

it('every operation documents the failures of API Gateway itself', () => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations.length).toBeGreaterThan(30);
  for (const { responses } of operations) {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['502', '503', '504']));
  }
});

it.each(['502', '503', '504'])('the response %s names the Idempotency-Key', (status) => {
  expect(components.responses[status]?.description).toContain('with the same Idempotency-Key');
});
