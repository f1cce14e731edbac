import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { expect, it } from 'vitest';

type Fields = Readonly<Record<string, string>>;

/** The documented contract of a resource, written a second time and independently of its schema. */
export interface ResourceContract {
  readonly schema: v.GenericSchema;
  readonly example: Readonly<Record<string, unknown>>;
  readonly fields: Fields;
  /** Fields that are present only on request, or only in some state. */
  readonly sometimes?: Fields;
  /** Ids and statuses are never null, even when imported data is incomplete. */
  readonly neverNull: readonly string[];
  /** All values of the fields with a closed set of values. */
  readonly values?: Readonly<Record<string, readonly (string | number)[]>>;
  /** A format that a date or time must not have. */
  readonly neverWritten?: Fields;
}

/** Fields as the service specification writes them: `a (string), b, c (integer)`, where b has the type of c. */
export function fieldsOf(text: string): Fields {
  const fields: Record<string, string> = {};
  for (const [, names = '', type = ''] of text.matchAll(/([\w,\s]+?)\s*\((\w+)\)/g)) {
    for (const name of names.split(/[,\s]+/).filter(Boolean)) fields[name] = type;
  }
  return fields;
}

export const toJson = (schema: v.GenericSchema) =>
  toJsonSchema(schema, { errorMode: 'throw', target: 'draft-2020-12', ignoreActions: ['check'] });

export const isJsonSchema = (part: unknown): part is JsonSchema => typeof part === 'object' && part !== null;

/** The schema of a present value: without the alternative null. */
function presentValue(property: unknown): JsonSchema {
  if (!isJsonSchema(property)) throw new Error('No such property.');
  const alternatives = property.anyOf?.filter((part) => !(isJsonSchema(part) && part.type === 'null')) ?? [property];
  const [only, ...others] = alternatives;
  if (!isJsonSchema(only) || others.length > 0) throw new Error('Neither one type nor one type and null.');
  return only;
}

export const typesOf = (json: JsonSchema) =>
  Object.fromEntries(
    Object.entries(json.properties ?? {}).map(([name, property]) => [name, presentValue(property).type]),
  );

export const without = (value: Readonly<Record<string, unknown>>, field: string) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));

/** The tests that every resource and every list must pass, for use with `describe.each`. */
export function testResourceContract(title: string, contract: ResourceContract): void {
  const { schema, example, fields, sometimes = {}, values = {}, neverWritten = {} } = contract;
  const json = toJson(schema);

  it('the schema has exactly the documented fields, each with its type', () => {
    expect(typesOf(json)).toEqual({ ...fields, ...sometimes });
    expect(json.additionalProperties).toBe(false);
  });

  it('the schema requires every field that is always present, and no other', () => {
    expect(json.required?.toSorted()).toEqual(Object.keys(fields).toSorted());
  });

  it('the schema accepts a complete example', () => {
    expect(v.safeParse(schema, example).issues).toBeUndefined();
  });

  it.each(Object.keys(fields))('the schema refuses a response without %s', (field) => {
    expect(v.is(schema, without(example, field))).toBe(false);
  });

  it.each([...Object.keys(fields), ...Object.keys(sometimes)])(
    'the schema refuses a response with %s of a wrong type',
    (field) => {
      expect(v.is(schema, { ...example, [field]: [[]] })).toBe(false);
    },
  );

  it.each(contract.neverNull)('the schema refuses null for %s', (field) => {
    expect(v.is(schema, { ...example, [field]: null })).toBe(false);
  });

  it('the schema refuses an undocumented field', () => {
    expect(v.is(schema, { ...example, surprise: null })).toBe(false);
  });

  it.each(Object.entries(values))('the schema allows exactly these values of %s: %j', (field, allowed) => {
    expect(presentValue(json.properties?.[field]).enum).toEqual(allowed);
    for (const value of allowed) expect(v.is(schema, { ...example, [field]: value })).toBe(true);
    for (const value of ['surprise', 9, '9']) expect(v.is(schema, { ...example, [field]: value })).toBe(false);
  });

  it.each(Object.entries(neverWritten))('the schema refuses %s in the format %s', (field, form) => {
    expect(v.is(schema, { ...example, [field]: form })).toBe(false);
  });

  it('the schema has a title, a description, and a description of every field', () => {
    expect(json.title).toBe(title);
    expect(json.description).toMatch(/\.$/);
    for (const [name, property] of Object.entries(json.properties ?? {})) {
      expect(isJsonSchema(property) && property.description, name).toMatch(/\.$/);
    }
  });
}
