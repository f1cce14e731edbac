import { expect, it } from 'vitest';
import { componentSchemas, type Json, titledSchemas } from '../../shared/openapi/components.ts';
import { asExtensions, withInherited } from '../../shared/openapi/extensions.ts';
import { operations } from '../../shared/operations/registry.ts';

const schemas = componentSchemas(titledSchemas(operations.map(({ output }) => output.schema)));
const written = asExtensions(schemas);

function resolve({ $ref }: Json): Json {
  return written[String($ref).replace('#/components/schemas/', '')] ?? {};
}

/** Of an object, the order of its fields says nothing. */
const ordered = ({ required, ...schema }: Json): Json => ({
  ...schema,
  ...(Array.isArray(required) && { required: required.toSorted() }),
});

it('schemas of the document that extend another one have the same fields as before', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    expect(ordered(withInherited(written[name] ?? {}, resolve)), name).toEqual(ordered(schema));
  }
});

it('schemas of the document repeat no other one: a price with its warnings refers to the price', () => {
  const own = { type: 'object', properties: { warnings: {} } };
  expect(written.CheckedPrice).toMatchObject({ allOf: [{ $ref: '#/components/schemas/Price' }, own] });
  const extensions = Object.values(written).filter(({ allOf }) => allOf !== undefined);
  expect(extensions.length).toBeGreaterThan(10);
  // A generator for Python drops the fields beside a single reference.
  for (const { allOf, properties } of extensions) expect([allOf, properties]).toEqual([expect.any(Array), undefined]);
});
