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

/** Parses the condition of a Query: the partition key, and at most one condition of the sort key, in any order. */
export function parseKeyCondition(expression: string, names: KeySchema, input: ExpressionInput): KeyRange {
  const tokens = new Tokens(expression);
  const parts = parseParts(tokens, input);
  if (!tokens.isAtEnd) throw tokens.error(`has an unexpected ${tokens.peek()}`);
  const own = parts.find(({ name }) => name === names.partitionKey);
  const [other, ...more] = parts.filter((part) => part !== own);
  if (own?.partition === undefined) throw tokens.error(`must have a value of ${names.partitionKey}`);
  if (more.length > 0 || (other !== undefined && other.name !== names.sortKey)) {
    throw tokens.error('has a condition of something other than its keys');
  }
  return { isBelow: never, isAbove: never, ...other?.bounds, partition: own.partition };
}

/** The condition of one key. That of the partition key must be an equation. */
interface Part {
  readonly name: string;
  readonly bounds: Bounds;
  readonly partition?: string;
}

function parseParts(tokens: Tokens, input: ExpressionInput): readonly Part[] {
  const parts: Part[] = [];
  do {
    if (tokens.takeIf('(')) {
      parts.push(...parseParts(tokens, input));
      tokens.expect(')');
    } else parts.push(parsePart(tokens, input));
  } while (tokens.takeIf('AND'));
  return parts;
}

function parsePart(tokens: Tokens, input: ExpressionInput): Part {
  if (tokens.peek(1) === '(') return parsePrefix(tokens, input);
  const name = attributeOf(tokens, input);
  if (tokens.takeIf('BETWEEN')) {
    const from = textValue(tokens, input);
    tokens.expect('AND');
    const to = textValue(tokens, input);
    const bounds = {
      isBelow: (key: string) => compareSortKeys(key, from) < 0,
      isAbove: (key: string) => compareSortKeys(key, to) > 0,
      first: from,
      last: to,
    };
    return { name, bounds };
  }
  const comparator = tokens.take();
  const value = textValue(tokens, input);
  const bounds = boundsOf(tokens, comparator, value);
  return { name, bounds, ...(comparator === '=' && { partition: value }) };
}

function parsePrefix(tokens: Tokens, input: ExpressionInput): Part {
  tokens.expect('begins_with');
  tokens.expect('(');
  const name = attributeOf(tokens, input);
  tokens.expect(',');
  const prefix = textValue(tokens, input);
  tokens.expect(')');
  const bounds = {
    isBelow: (key: string) => compareSortKeys(key, prefix) < 0,
    isAbove: (key: string) => compareSortKeys(key, prefix) > 0 && !key.startsWith(prefix),
  };
  return { name, bounds };
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
  if (typeof value !== 'string') throw tokens.error('compares a key with something that is not a text');
  return value;
}
