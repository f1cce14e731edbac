import { compareSortKeys } from './compare-sort-keys.ts';
import { placeholderValue } from './condition.ts';
import { parsePath } from './paths.ts';
import type { KeySchema } from './schema.ts';
import { type ExpressionInput, Tokens } from './tokens.ts';

/** A range of sort keys, by the two ends that a binary search needs. */
export interface KeyRange {
  readonly partition: string;
  isBelow(sortKey: string): boolean;
  isAbove(sortKey: string): boolean;
  /** The first and the last sort key that can be in the range, if the condition names them. */
  readonly first?: string;
  readonly last?: string;
}

type Bounds = Omit<KeyRange, 'partition'>;
const never = () => false;

/** Parses the condition of a Query: the partition key, and at most one condition of the sort key. */
export function parseKeyCondition(expression: string, names: KeySchema, input: ExpressionInput): KeyRange {
  const tokens = new Tokens(expression);
  const name = attributeOf(tokens, input);
  if (name !== names.partitionKey) throw tokens.error(`must begin with ${names.partitionKey}`);
  tokens.expect('=');
  const partition = textValue(tokens, input);
  const bounds = tokens.takeIf('AND') ? parseBounds(tokens, names, input) : { isBelow: never, isAbove: never };
  if (!tokens.isAtEnd) throw tokens.error(`has an unexpected ${tokens.peek()}`);
  return { partition, ...bounds };
}

function parseBounds(tokens: Tokens, names: KeySchema, input: ExpressionInput): Bounds {
  const isPrefix = tokens.peek(1) === '(' && tokens.takeIf('begins_with');
  if (isPrefix) tokens.expect('(');
  const name = attributeOf(tokens, input);
  if (name !== names.sortKey) throw tokens.error(`must continue with ${names.sortKey}`);
  if (isPrefix) {
    tokens.expect(',');
    const prefix = textValue(tokens, input);
    tokens.expect(')');
    return {
      isBelow: (key) => compareSortKeys(key, prefix) < 0,
      isAbove: (key) => compareSortKeys(key, prefix) > 0 && !key.startsWith(prefix),
    };
  }
  if (tokens.takeIf('BETWEEN')) {
    const from = textValue(tokens, input);
    tokens.expect('AND');
    const to = textValue(tokens, input);
    return {
      isBelow: (key) => compareSortKeys(key, from) < 0,
      isAbove: (key) => compareSortKeys(key, to) > 0,
      first: from,
      last: to,
    };
  }
  return boundsOf(tokens, tokens.take(), textValue(tokens, input));
}

function boundsOf(tokens: Tokens, comparator: string, value: string): Bounds {
  const order = (key: string): number => compareSortKeys(key, value);
  switch (comparator) {
    case '=':
      return { isBelow: (key) => order(key) < 0, isAbove: (key) => order(key) > 0 };
    case '<':
      return { isBelow: never, isAbove: (key) => order(key) >= 0 };
    case '<=':
      return { isBelow: never, isAbove: (key) => order(key) > 0, last: value };
    case '>':
      return { isBelow: (key) => order(key) <= 0, isAbove: never };
    case '>=':
      return { isBelow: (key) => order(key) < 0, isAbove: never, first: value };
    default:
      throw tokens.error(`uses the unknown comparator ${comparator}`);
  }
}

function attributeOf(tokens: Tokens, input: ExpressionInput): string {
  return parsePath(tokens, input).join('.');
}

function textValue(tokens: Tokens, input: ExpressionInput): string {
  const value = placeholderValue(tokens, input);
  if (typeof value !== 'string') throw tokens.error('compares a key with something that is no text');
  return value;
}
