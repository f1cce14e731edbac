/** A JSON schema as the OpenAPI document uses it. */
export type Schema = Readonly<Record<string, unknown>>;

/** The direction in which values travel: clients write requests and read responses. */
export type Direction = 'request' | 'response';

export interface Comparison {
  readonly direction: Direction;
  readonly resolve: (side: 'narrow' | 'wide', schema: Schema) => Schema;
}

/** Keywords by which a schema accepts less the higher they are, and the lower they are. */
const lowerBounds = ['minimum', 'minLength', 'minItems', 'minProperties'];
const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Keywords that cannot be compared except for equality. */
const opaque = ['pattern', 'format', 'multipleOf'];

/**
 * Lists what `narrow` allows and `wide` does not. For a request, the released schema is the narrow one: whatever a client sends
 * today must stay valid. For a response, it is the wide one: whatever the service sends tomorrow must be what clients know,
 * with two exceptions that clients must accept: new properties, and new values of an enum.
 */
export function differences(narrow: Schema, wide: Schema, path: string, comparison: Comparison): string[] {
  const candidates = alternatives(wide, 'wide', comparison);
  return alternatives(narrow, 'narrow', comparison).flatMap((one) => {
    const [best] = candidates
      .filter(({ type }) => type === undefined || type === one.type || (type === 'number' && one.type === 'integer'))
      .map((candidate) => compareSimple(one, candidate, path, comparison))
      .sort((a, b) => a.length - b.length);
    const type = String(one.type ?? 'any value');
    const otherType = comparison.direction === 'request' ? `${type} is not accepted any more` : `can be ${type} now`;
    return best ?? [`${path}: ${otherType}`];
  });
}

/** The schemas, one of which a value must match: references resolved, unions and lists of types taken apart. */
function alternatives(schema: Schema, side: 'narrow' | 'wide', comparison: Comparison): Schema[] {
  const resolved = comparison.resolve(side, schema);
  const { anyOf, oneOf, type, const: constant, ...rest } = resolved;
  const union = anyOf ?? oneOf;
  if (Array.isArray(union)) return union.flatMap((each) => alternatives({ ...rest, ...each }, side, comparison));
  const common = { ...rest, ...(constant !== undefined && { enum: [constant] }) };
  return Array.isArray(type)
    ? type.map((each) => ({ ...common, type: each }))
    : [{ ...common, ...(type ? { type } : {}) }];
}

function compareSimple(narrow: Schema, wide: Schema, path: string, comparison: Comparison): string[] {
  return [
    ...compareValues(narrow, wide, path, comparison.direction),
    ...compareProperties(narrow, wide, path, comparison),
    ...(isSchema(narrow.items) && isSchema(wide.items)
      ? differences(narrow.items, wide.items, `${path}[]`, comparison)
      : []),
  ];
}

function compareValues(narrow: Schema, wide: Schema, path: string, direction: Direction): string[] {
  const isLess = (keyword: string) => asNumber(wide[keyword], Infinity) < asNumber(narrow[keyword], Infinity);
  const isMore = (keyword: string) => asNumber(wide[keyword], 0) > asNumber(narrow[keyword], 0);
  const isOther = (keyword: string) => wide[keyword] !== undefined && wide[keyword] !== narrow[keyword];
  const changed = [...lowerBounds.filter(isMore), ...upperBounds.filter(isLess), ...opaque.filter(isOther)];
  const enums = direction === 'request' ? lostValues(narrow, wide) : lostCodes(narrow, wide, path);
  return [...enums, ...changed.map((keyword) => `${keyword} changed`)].map((change) => `${path}: ${change}`);
}

function lostValues(narrow: Schema, wide: Schema): string[] {
  if (wide.enum === undefined) return [];
  if (narrow.enum === undefined) return ['accepts only some values now'];
  const lost = listOf(narrow.enum).filter((value) => !listOf(wide.enum).includes(value));
  return lost.map((value) => `${JSON.stringify(value)} is not accepted any more`);
}

/** Clients decide by the code of an error, so a code must not disappear. Other values of a response may. */
function lostCodes(narrow: Schema, wide: Schema, path: string): string[] {
  if (!path.endsWith('error.code') || narrow.enum === undefined) return [];
  const lost = listOf(wide.enum).filter((code) => !listOf(narrow.enum).includes(code));
  return lost.map((code) => `${String(code)} was removed`);
}

function compareProperties(narrow: Schema, wide: Schema, path: string, comparison: Comparison): string[] {
  const mine = propertiesOf(narrow);
  const theirs = propertiesOf(wide);
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const required = listOf(wide.required).map(String);
  const missing = required.filter((name) => !listOf(narrow.required).includes(name));
  const common = Object.entries(mine).flatMap(([name, schema]) =>
    theirs[name] === undefined ? [] : differences(schema, theirs[name], at(name), comparison),
  );
  if (comparison.direction === 'request') {
    const isClosed = wide.additionalProperties === false;
    const removed = Object.keys(mine).filter((name) => isClosed && theirs[name] === undefined);
    return [
      ...missing.map((name) => `${at(name)}: is required now`),
      ...removed.map((name) => `${at(name)}: was removed`),
      ...common,
    ];
  }
  const removed = Object.keys(theirs).filter((name) => mine[name] === undefined);
  return [
    ...missing.filter((name) => !removed.includes(name)).map((name) => `${at(name)}: can be missing now`),
    ...removed.map((name) => `${at(name)}: was removed`),
    ...common,
  ];
}

function propertiesOf({ properties }: Schema): Readonly<Record<string, Schema>> {
  return isSchema(properties) ? (properties as Readonly<Record<string, Schema>>) : {};
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asNumber = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
