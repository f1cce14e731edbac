import fc from 'fast-check';
import { characterCount } from '../../shared/domain/characters.ts';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import type { Json } from './openapi-inputs.ts';

/** Generates values that are valid by a schema of the OpenAPI document, of the keywords that the document uses. */
export function valuesOf(schema: Json): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map(valuesOf));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(numberOr(schema.minimum, Number.MIN_SAFE_INTEGER), numberOr(schema.maximum, 2 ** 53 - 1));
    case 'number':
      return integers(numberOr(schema.minimum, 0), numberOr(schema.maximum, 2 ** 53 - 1));
    case 'string':
      return texts(schema);
    case 'array':
      return fc.array(valuesOf(recordOf(schema.items)), {
        minLength: numberOr(schema.minItems, 0),
        maxLength: Math.min(numberOr(schema.maxItems, 5), numberOr(schema.minItems, 0) + 5),
      });
    case 'object':
      return objects(schema);
    default:
      throw new Error(`Say how to generate ${JSON.stringify(schema)}.`);
  }
}

/** Bounds are where mistakes are, so they come often. */
function integers(min: number, max: number): fc.Arbitrary<number> {
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }));
}

const surrogates = { first: 0xd800, count: 0x800 };

/** Any character, as the unit `binary` of fast-check, which first makes a map of all of them. */
const character = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (text) => {
    const [only = '', ...others] = String(text);
    if (only === '' || others.length > 0) throw new Error('This is not one character.');
    const point = only.codePointAt(0) ?? 0;
    return point < surrogates.first ? point : point - surrogates.count;
  },
);

function texts({ format, pattern, minLength, maxLength }: Json): fc.Arbitrary<string> {
  if (format === 'date')
    return fc.date({ noInvalidDate: true, ...days }).map((date) => date.toISOString().slice(0, 10));
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, ...days, min: new Date(0) }).map((date) => date.toISOString());
  const [least, most] = [numberOr(minLength, 0), numberOr(maxLength, 50)];
  const fits = (text: string) => characterCount(text) >= least && characterCount(text) <= most;
  const matches = typeof pattern === 'string' ? new RegExp(pattern, 'u') : /^/u;
  const any = fc.string({ unit: character, minLength: least, maxLength: Math.min(most, least + 20) });
  // As long as allowed, in characters that are two UTF-16 units each.
  const longest = fc.constantFrom('x', '😀').map((character) => character.repeat(most));
  const matching = typeof pattern === 'string' ? [fc.stringMatching(matches, { size: 'small' })] : [];
  return fc.oneof(any, longest, ...matching).filter((text) => fits(text) && matches.test(text));
}

const days = { min: new Date('1900-01-01T00:00:00Z'), max: new Date('2020-12-31T00:00:00Z') };

function objects({ properties = {}, required, minProperties }: Json): fc.Arbitrary<unknown> {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, schema] of Object.entries(recordOf(properties))) model[name] = valuesOf(recordOf(schema));
  return fc
    .record(model, { requiredKeys: Object.keys(model).filter(isRequired) })
    .filter((value) => Object.keys(value).length >= numberOr(minProperties, 0));
}

function recordOf(value: unknown): Json {
  if (!isRecord(value)) throw new Error(`${JSON.stringify(value)} is not a schema.`);
  return value;
}

function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other;
}
