import fc from 'fast-check';
import { knownShapes } from './known-shapes.ts';

/** An expression with the names and values of its placeholders. */
export interface RandomExpression {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

const small = fc.integer({ min: -3, max: 5 });
const text = fc.constantFrom('x', 'xy', 'y', 'open');
const binary = fc.constantFrom(Uint8Array.of(1), Uint8Array.of(1, 2));
const list = fc.array(fc.oneof(small, fc.constant('x')), { maxLength: 3 });
const map = fc.record({ x: small, y: text, status: small }, { requiredKeys: [] });

/** Values by the letters of their types. */
const valuesOf: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  N: small,
  S: text,
  B: binary,
  L: list,
  M: map,
  BOOL: fc.boolean(),
  NULL: fc.constant(null),
  ANY: fc.oneof(small, text, binary, list, map, fc.boolean(), fc.constant(null), fc.constant('')),
  TYPE: fc.constantFrom('S', 'N', 'M', 'L', 'NULL', 'BOOL', 'B'),
};

/** The attributes of the items: `n` and `v` are numbers and so on, `any` has any type. `status` and `any` are reserved words. */
export const attributes = {
  n: small,
  v: small,
  s: text,
  status: text,
  l: list,
  m: map,
  any: fc.oneof(...Object.values(valuesOf)),
};
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  N: ['n', 'v', 'any'],
  S: ['s', 'status', 'any'],
  L: ['l', 'any'],
  M: ['m', 'any'],
  B: ['any'],
  BOOL: ['any'],
  NULL: ['any'],
};

/** Other forms than the code uses: every function and comparator once. */
const otherConditions = [
  'a <> :N',
  'a <> :ANY',
  'a > :N',
  'a >= :S',
  'a < :ANY',
  'a = :ANY',
  'NOT a = :S',
  'a BETWEEN :N AND :N AND a < :N',
  'a IN ( :N , :N , :S )',
  'begins_with ( a , :S )',
  'contains ( a , :S )',
  'contains ( a , :N )',
  'attribute_type ( a , :TYPE )',
  'size ( a ) > :N',
  'a . a = :N',
  'a [ 0 ] = :N',
];
const otherUpdates = [
  'SET a = :ANY',
  'SET a = a',
  'SET a . a = :N',
  'SET a [ 1 ] = :N',
  'SET a = list_append ( a , :L )',
  'REMOVE by1pk',
  'REMOVE by1sk',
  'REMOVE a . a',
  'REMOVE a [ 0 ]',
  'ADD a :S',
];

const known = (parameter: string): readonly string[] =>
  knownShapes().flatMap((shape) => (shape.startsWith(`${parameter}: `) ? [shape.slice(parameter.length + 2)] : []));

export const randomCondition = fc
  .constantFrom(...known('ConditionExpression'), ...otherConditions)
  .chain((shape) => ofShape(shape, 'c'));
/** The filter of a Query. That of a Scan may compare keys too. */
export const randomFilter = fc
  .constantFrom(...known('FilterExpression').filter((shape) => !shape.includes('pk')), 'a > :N')
  .chain((shape) => ofShape(shape, 'f'));
export const randomScanFilter = fc.constantFrom(...known('FilterExpression')).chain((shape) => ofShape(shape, 'f'));
export const keyConditions = known('KeyConditionExpression');

/** Some actions of any kind, in the clauses that they belong to. */
export const randomUpdate = fc
  .uniqueArray(fc.constantFrom(...known('UpdateExpression'), ...otherUpdates), { minLength: 1, maxLength: 3 })
  .chain((shapes) => fc.tuple(...shapes.map((shape, index) => ofShape(shape, `u${index}`))))
  .map((actions): RandomExpression => {
    const clauses = Map.groupBy(actions, ({ expression }) => expression.split(' ')[0]);
    return {
      expression: [...clauses]
        .map(([clause, own]) => `${clause} ${own.map(({ expression }) => expression.slice(clause?.length)).join()}`)
        .join(' '),
      names: Object.assign({}, ...actions.map(({ names }) => names)),
      values: Object.assign({}, ...actions.map(({ values }) => values)),
    };
  });

export const randomProjection = fc
  .uniqueArray(fc.constantFrom(...known('ProjectionExpression'), 'pk', 'a'), { minLength: 1, maxLength: 4 })
  .chain((paths) => ofShape(paths.join(' , '), 'p'));

/** Puts attributes and values into a shape. Placeholders have a prefix, because the expressions of a request share them. */
function ofShape(shape: string, prefix: string): fc.Arbitrary<RandomExpression> {
  const tokens = shape.split(' ');
  return fc.tuple(...tokens.map((_, index) => randomToken(tokens, index))).map((parts) => {
    const placeholders = parts.map(({ name, value }, index) => {
      if (value !== undefined) return `:${prefix}${index}`;
      return name === undefined ? tokens[index] : `#${prefix}${index}`;
    });
    const chosen = <Value>(of: (part: Token) => Value | undefined) =>
      Object.fromEntries(
        parts.flatMap((part, index) => (of(part) === undefined ? [] : [[placeholders[index], of(part)]])),
      );
    return {
      expression: placeholders.join(' '),
      names: chosen(({ name }) => name),
      values: chosen(({ value }) => value),
    };
  });
}

interface Token {
  readonly name?: string;
  readonly value?: unknown;
}

function randomToken(tokens: readonly string[], index: number): fc.Arbitrary<Token> {
  const token = tokens[index] ?? '';
  if (token.startsWith(':')) {
    // DynamoDB does not define the order of items with the same key in an index, so the caller puts the item's own key here.
    const isSortKey = tokens[index - 2] === 'by1sk';
    return isSortKey ? fc.constant({ value: '1#@' }) : (valuesOf[token.slice(1)] ?? small).map((value) => ({ value }));
  }
  if (token !== 'a') return fc.constant({});
  if (tokens[index - 1] === '.') return fc.constantFrom('x', 'y', 'status').map((name) => ({ name }));
  const type = tokens.slice(index, index + 5).find((near) => near.startsWith(':'));
  const likely = attributesOf[type?.slice(1) ?? ''] ?? Object.keys(attributes);
  return fc.constantFrom(...likely, ...likely, ...likely, ...Object.keys(attributes)).map((name) => ({ name }));
}
