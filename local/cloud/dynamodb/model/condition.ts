import { isDeepStrictEqual } from 'node:util';
import { type Path, parsePath, valueAt } from './paths.ts';
import type { ExpressionInput, Tokens } from './tokens.ts';
import { compareValues, type Item, isSameValue, typeOf } from './values.ts';

/** A parsed condition: whether an item meets it. An item that does not exist is an empty one. */
export type Condition = (item: Readonly<Item>) => boolean;
/** The value of an operand. That of a placeholder is known before any item is read; others have the path of an attribute. */
type Operand = ((item: Readonly<Item>) => unknown) & { readonly constant?: unknown; readonly path?: Path };

/** Parses a condition, a filter or a key condition. */
export function parseCondition(tokens: Tokens, input: ExpressionInput): Condition {
  const condition = new ConditionParser(tokens, input).parse();
  if (!tokens.isAtEnd) throw tokens.error(`has an unexpected ${tokens.peek()}`);
  return condition;
}

const comparators: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

class ConditionParser {
  readonly #tokens: Tokens;
  readonly #input: ExpressionInput;

  constructor(tokens: Tokens, input: ExpressionInput) {
    this.#tokens = tokens;
    this.#input = input;
  }

  parse(): Condition {
    const alternatives = [this.#conjunction()];
    while (this.#tokens.takeIf('OR')) alternatives.push(this.#conjunction());
    return alternatives.length === 1 ? first(alternatives) : (item) => alternatives.some((meets) => meets(item));
  }

  #conjunction(): Condition {
    const parts = [this.#negation()];
    while (this.#tokens.takeIf('AND')) parts.push(this.#negation());
    return parts.length === 1 ? first(parts) : (item) => parts.every((meets) => meets(item));
  }

  #negation(): Condition {
    if (!this.#tokens.takeIf('NOT')) return this.#primary();
    const meets = this.#negation();
    return (item) => !meets(item);
  }

  #primary(): Condition {
    if (this.#tokens.takeIf('(')) {
      const inner = this.parse();
      this.#tokens.expect(')');
      return inner;
    }
    const isFunction = this.#tokens.peek(1) === '(';
    return isFunction && this.#tokens.peek().toLowerCase() !== 'size' ? this.#function() : this.#comparison();
  }

  #function(): Condition {
    const name = this.#tokens.take();
    this.#tokens.expect('(');
    const path = parsePath(this.#tokens, this.#input);
    const argument = this.#tokens.takeIf(',') ? this.#operand() : () => undefined;
    this.#tokens.expect(')');
    return this.#functionOf(name, path, argument);
  }

  #functionOf(name: string, path: Path, argument: Operand): Condition {
    switch (name) {
      case 'attribute_exists':
        return (item) => valueAt(item, path) !== undefined;
      case 'attribute_not_exists':
        return (item) => valueAt(item, path) === undefined;
      case 'attribute_type':
        return (item) => valueAt(item, path) !== undefined && typeOf(valueAt(item, path)) === argument(item);
      case 'begins_with':
        return (item) => beginsWith(valueAt(item, path), argument(item));
      case 'contains':
        return (item) => contains(valueAt(item, path), argument(item));
      default:
        throw this.#tokens.error(`uses the unknown function ${name}`);
    }
  }

  #comparison(): Condition {
    const left = this.#operand();
    if (this.#tokens.takeIf('BETWEEN')) return this.#between(left);
    if (this.#tokens.takeIf('IN')) return this.#in(left);
    const comparator = this.#tokens.take();
    const right = this.#operand();
    this.#checkDistinct(left, right);
    if (comparator === '=') return (item) => equals(left(item), right(item));
    // An attribute that does not exist differs from every value.
    if (comparator === '<>') return (item) => !equals(left(item), right(item));
    const matches = comparators[comparator];
    if (matches === undefined) throw this.#tokens.error(`uses the unknown comparator ${comparator}`);
    this.#checkOrdered(left, right);
    return (item) => {
      const order = compareValues(left(item), right(item));
      return order !== undefined && matches(order);
    };
  }

  #between(value: Operand): Condition {
    const from = this.#operand();
    this.#tokens.expect('AND');
    const to = this.#operand();
    this.#checkDistinct(value, from, to);
    this.#checkOrdered(value, from, to);
    const order = compareValues(from.constant, to.constant);
    if (order !== undefined && order > 0) throw this.#tokens.error('has a range whose end is before its beginning');
    return (item) => {
      const [lower, upper] = [compareValues(value(item), from(item)), compareValues(value(item), to(item))];
      return lower !== undefined && upper !== undefined && lower >= 0 && upper <= 0;
    };
  }

  #in(value: Operand): Condition {
    this.#tokens.expect('(');
    const options = [this.#operand()];
    while (this.#tokens.takeIf(',')) options.push(this.#operand());
    this.#tokens.expect(')');
    this.#checkDistinct(value, ...options);
    return (item) => options.some((option) => equals(value(item), option(item)));
  }

  #operand(): Operand {
    if (this.#tokens.peek().toLowerCase() === 'size' && this.#tokens.peek(1) === '(') return this.#size();
    if (this.#tokens.peek().startsWith(':')) {
      const value = placeholderValue(this.#tokens, this.#input);
      return Object.assign(() => value, { constant: value });
    }
    const path = parsePath(this.#tokens, this.#input);
    return Object.assign((item: Readonly<Item>) => valueAt(item, path), { path });
  }

  /** DynamoDB refuses to compare an attribute with itself, whatever is stored. */
  #checkDistinct({ path }: Operand, ...others: readonly Operand[]): void {
    if (path !== undefined && others.some((other) => isDeepStrictEqual(other.path, path)))
      throw this.#tokens.error('compares an attribute with itself');
  }

  /** DynamoDB refuses to order by a value that has no order, whatever is stored. */
  #checkOrdered(...operands: readonly Operand[]): void {
    for (const { constant } of operands) {
      if (constant !== undefined && !'SNB'.includes(typeOf(constant))) {
        throw this.#tokens.error('orders by a value that is not a text, number or binary');
      }
    }
  }

  #size(): Operand {
    this.#tokens.take();
    this.#tokens.expect('(');
    const path = parsePath(this.#tokens, this.#input);
    this.#tokens.expect(')');
    return (item) => sizeOf(valueAt(item, path));
  }
}

/** Takes a placeholder such as `:id` and returns its value. */
export function placeholderValue(tokens: Tokens, { values, used }: ExpressionInput): unknown {
  const token = tokens.take();
  const value = values[token];
  if (value === undefined) throw tokens.error(`uses the value ${token}, which is not defined`);
  used.add(token);
  return value;
}

function equals(one: unknown, other: unknown): boolean {
  return one !== undefined && other !== undefined && isSameValue(one, other);
}

function beginsWith(value: unknown, prefix: unknown): boolean {
  return typeof value === 'string' && typeof prefix === 'string' && value.startsWith(prefix);
}

function contains(value: unknown, part: unknown): boolean {
  if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
  return Array.isArray(value) && value.some((inner) => isSameValue(inner, part));
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

function first(conditions: readonly Condition[]): Condition {
  return conditions[0] ?? (() => true);
}
