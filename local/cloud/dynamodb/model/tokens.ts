import { validationError } from './errors.ts';

/** The names and values that the expressions of a request refer to. */
export interface ExpressionInput {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
  /** The placeholders that the parsed expressions use. */
  readonly used: Set<string>;
}

interface Placeholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

/** Parses the expressions of a request. DynamoDB refuses names and values that none of them uses. */
export function parseExpressions<Parsed>(
  { ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Placeholders,
  parse: (input: ExpressionInput) => Parsed,
): Parsed {
  const used = new Set<string>();
  const parsed = parse({ names: names ?? {}, values: values ?? {}, used });
  for (const given of [names, values]) {
    const placeholders = given && Object.keys(given);
    if (placeholders?.length === 0) throw validationError('The names and values of expressions must not be empty');
    const unused = placeholders?.find((placeholder) => !used.has(placeholder));
    if (unused !== undefined) throw validationError(`No expression uses the name or value ${unused}`);
  }
  return parsed;
}

const pattern = /\s*(<>|<=|>=|[=<>(),.[\]+-]|#[A-Za-z0-9_]+|:[A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*|\d+)/y;

/** The tokens of an expression, read from left to right. */
export class Tokens {
  readonly #expression: string;
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(expression: string) {
    this.#expression = expression;
    this.#tokens = split(expression);
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#tokens.length;
  }

  peek(offset = 0): string {
    return this.#tokens[this.#next + offset] ?? '';
  }

  take(): string {
    const token = this.peek();
    if (token === '') throw this.error('ends too early');
    this.#next += 1;
    return token;
  }

  /** Takes the token if it is this one. Words are compared without regard to case. */
  takeIf(expected: string): boolean {
    if (this.peek().toUpperCase() !== expected.toUpperCase()) return false;
    this.#next += 1;
    return true;
  }

  expect(expected: string): void {
    if (!this.takeIf(expected)) throw this.error(`has ${this.peek() || 'its end'} instead of ${expected}`);
  }

  error(problem: string): Error {
    return validationError(`The expression ${problem}: ${this.#expression}`);
  }
}

/** The same few expressions are sent again and again. */
const known = new Map<string, readonly string[]>();
const maxKnown = 5_000;

function split(expression: string): readonly string[] {
  const tokens = known.get(expression) ?? splitText(expression);
  if (known.size < maxKnown) known.set(expression, tokens);
  return tokens;
}

function splitText(expression: string): readonly string[] {
  const tokens: string[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < expression.trimEnd().length) {
    const at = pattern.lastIndex;
    const [, token] = pattern.exec(expression) ?? [];
    if (token === undefined) throw validationError(`The expression has an unknown character at ${at}: ${expression}`);
    tokens.push(token);
  }
  return tokens;
}
