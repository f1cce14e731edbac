import { placeholderValue } from './condition.ts';
import { validationError } from './errors.ts';
import { checkSeparate, type Path, parsePath, removeAt, setAt, valueAt } from './paths.ts';
import type { ExpressionInput, Tokens } from './tokens.ts';
import { copyItem, copyValue, type Item } from './values.ts';

/** A parsed update: returns the changed item. The given item stays as it is. */
export type Update = (item: Readonly<Item>) => Item;
type Value = (item: Readonly<Item>) => unknown;
/** Changes `after`. Everything that an action reads comes from `before`, because all actions see the item as it was. */
interface Action {
  readonly path: Path;
  act(before: Readonly<Item>, after: Item): void;
}

/** Parses SET, REMOVE and ADD. DELETE is only for sets, which no item of this project has. */
export function parseUpdate(tokens: Tokens, input: ExpressionInput): Update {
  const actions: Action[] = [];
  while (!tokens.isAtEnd) {
    const parse = clauses[tokens.take().toUpperCase()];
    if (parse === undefined) throw tokens.error('has an unknown clause');
    actions.push(parse(tokens, input));
    while (tokens.takeIf(',')) actions.push(parse(tokens, input));
  }
  checkSeparate(
    tokens,
    actions.map(({ path }) => path),
  );
  return (item) => {
    const after = copyItem(item);
    for (const action of actions) action.act(item, after);
    return after;
  };
}

const clauses: Readonly<Record<string, (tokens: Tokens, input: ExpressionInput) => Action>> = {
  SET: parseSet,
  REMOVE: parseRemove,
  ADD: parseAdd,
};

function parseSet(tokens: Tokens, input: ExpressionInput): Action {
  const path = parsePath(tokens, input);
  tokens.expect('=');
  const value = parseSum(tokens, input);
  return {
    path,
    act: (before, after) => {
      if (!setAt(after, path, copyValue(value(before)))) throw invalidPath();
    },
  };
}

function parseRemove(tokens: Tokens, input: ExpressionInput): Action {
  const path = parsePath(tokens, input);
  return {
    path,
    act: (before, after) => {
      // Nothing is removed that was not there before, such as what SET has appended to a list at this position.
      const target = valueAt(before, path) === undefined ? copyItem(before) : after;
      if (!removeAt(target, path)) throw invalidPath();
    },
  };
}

function parseAdd(tokens: Tokens, input: ExpressionInput): Action {
  const path = parsePath(tokens, input);
  const amount = placeholderValue(tokens, input);
  if (typeof amount !== 'number') throw validationError('ADD needs a number.');
  return {
    path,
    act: (before, after) => {
      if (!setAt(after, path, numberAt(before, path, 0) + amount)) throw invalidPath();
    },
  };
}

function numberAt(item: Readonly<Item>, path: Path, absent: number): number {
  const stored = valueAt(item, path);
  const value = stored === undefined ? absent : stored;
  if (typeof value !== 'number')
    throw validationError('An operand in the update expression has an incorrect data type');
  return value;
}

/** An operand, or the sum or difference of two. */
function parseSum(tokens: Tokens, input: ExpressionInput): Value {
  const left = parseOperand(tokens, input);
  const sign = tokens.peek();
  if (sign !== '+' && sign !== '-') return left;
  tokens.take();
  const right = parseOperand(tokens, input);
  return (item) => {
    const [one, other] = [left(item), right(item)];
    if (typeof one !== 'number' || typeof other !== 'number') {
      throw validationError('An operand in the update expression has an incorrect data type');
    }
    return sign === '+' ? one + other : one - other;
  };
}

function parseOperand(tokens: Tokens, input: ExpressionInput): Value {
  if (tokens.peek(1) === '(') return parseFunction(tokens, input);
  if (tokens.peek().startsWith(':')) {
    const value = placeholderValue(tokens, input);
    return () => value;
  }
  const path = parsePath(tokens, input);
  return (item) => {
    const value = valueAt(item, path);
    if (value === undefined) {
      throw validationError('The provided expression refers to an attribute that does not exist in the item');
    }
    return value;
  };
}

function parseFunction(tokens: Tokens, input: ExpressionInput): Value {
  const name = tokens.take();
  tokens.expect('(');
  if (name === 'list_append') {
    const one = parseOperand(tokens, input);
    tokens.expect(',');
    const other = parseOperand(tokens, input);
    tokens.expect(')');
    return (item) => [one, other].flatMap((operand) => listOf(operand(item)));
  }
  if (name !== 'if_not_exists') throw tokens.error(`uses the unknown function ${name}`);
  const path = parsePath(tokens, input);
  tokens.expect(',');
  const otherwise = parseOperand(tokens, input);
  tokens.expect(')');
  return (item) => {
    const value = valueAt(item, path);
    return value === undefined ? otherwise(item) : value;
  };
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw validationError('An operand in the update expression has an incorrect data type');
  return value;
}

function invalidPath(): Error {
  return validationError('The document path provided in the update expression is invalid for update');
}
