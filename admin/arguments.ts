import { parseArgs } from 'node:util';
import type { Command, Option } from './command.ts';
import { usageError } from './failure.ts';

/** A kind of value: how to read it, and the words that tell people what is allowed. */
export interface ValueKind<Value> {
  readonly allowed: string;
  /** Undefined when the text is not of this kind. */
  parse(text: string): Value | undefined;
}

/** The arguments of one command, by the names under which the command declares them. */
export interface Arguments {
  has(name: string): boolean;
  optional<Value>(name: string, kind: ValueKind<Value>): Value | undefined;
  required<Value>(name: string, kind: ValueKind<Value>): Value;
}

type Declaration = Pick<Command, 'positionals' | 'options'>;

export function parseArguments(argv: readonly string[], declaration: Declaration): Arguments {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(declaration.options.map((option) => [option.name, { type: typeOf(option) }])),
    // The parser's own complaints do not say what is allowed: it only takes the words apart, and we judge them.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const texts = new Map<string, string>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind === 'option') addOption(texts, token, declaration.options);
  }
  addPositionals(texts, words, declaration);
  for (const { name, required } of declaration.options) {
    if (required && !texts.has(name)) throw usageError(`--${name} is missing.`, `--${name}`);
  }
  return reader(texts, declaration);
}

function typeOf(option: Option): 'string' | 'boolean' {
  return option.value === undefined ? 'boolean' : 'string';
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function addOption(texts: Map<string, string>, token: OptionToken, options: readonly Option[]): void {
  const { name, rawName, value, inlineValue } = token;
  const option = options.find((candidate) => candidate.name === name && rawName === `--${name}`);
  if (option === undefined) {
    throw usageError(
      `${rawName} is not an option here. Allowed: ${options.map((allowed) => `--${allowed.name}`).join(', ')}.`,
      rawName,
    );
  }
  if (texts.has(name)) throw usageError(`${rawName} is given twice.`, rawName);
  if (option.value === undefined) {
    if (value !== undefined) throw usageError(`${rawName} takes no value.`, rawName);
  } else if (value === undefined || (!inlineValue && value.startsWith('-'))) {
    throw usageError(`${rawName} needs a value: ${rawName}=${option.value}. ${option.help}`, rawName);
  }
  texts.set(name, value ?? '');
}

function addPositionals(texts: Map<string, string>, words: readonly string[], { positionals }: Declaration): void {
  for (const [index, { name, help, optional }] of positionals.entries()) {
    const word = words[index];
    if (word !== undefined) texts.set(name, word);
    else if (!optional) throw usageError(`<${name}> is missing. ${help}`, `<${name}>`);
  }
  const extra = words[positionals.length];
  if (extra !== undefined) throw usageError(`"${extra}" is one argument too many.`, extra);
}

function reader(texts: ReadonlyMap<string, string>, { positionals, options }: Declaration): Arguments {
  function shownName(name: string): string {
    if (positionals.some((positional) => positional.name === name)) return `<${name}>`;
    if (options.some((option) => option.name === name)) return `--${name}`;
    throw new Error(`The command reads the argument ${name}, which it does not declare.`);
  }

  function optional<Value>(name: string, kind: ValueKind<Value>): Value | undefined {
    const argument = shownName(name);
    const text = texts.get(name);
    if (text === undefined) return undefined;
    const value = kind.parse(text);
    if (value === undefined) throw usageError(`${argument} cannot be "${text}". Allowed: ${kind.allowed}.`, argument);
    return value;
  }

  return {
    has: (name) => texts.has(name),
    optional,
    required(name, kind) {
      const value = optional(name, kind);
      if (value === undefined)
        throw new Error(`The command needs ${shownName(name)} but does not declare it required.`);
      return value;
    },
  };
}
