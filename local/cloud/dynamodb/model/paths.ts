import { reservedWords } from './reserved-words.ts';
import type { ExpressionInput, Tokens } from './tokens.ts';
import { copyValue, type Item, isItem, typeOf } from './values.ts';

/** A document path: attribute names, and positions in lists. */
export type Path = readonly (string | number)[];

export function parsePath(tokens: Tokens, input: ExpressionInput): Path {
  const path: (string | number)[] = [attributeName(tokens, input)];
  for (;;) {
    if (tokens.takeIf('.')) path.push(attributeName(tokens, input));
    else if (tokens.takeIf('[')) {
      path.push(Number(tokens.take()));
      tokens.expect(']');
    } else return path;
  }
}

function attributeName(tokens: Tokens, { names, used }: ExpressionInput): string {
  const token = tokens.take();
  if (!token.startsWith('#')) {
    if (reservedWords.has(token.toLowerCase())) throw tokens.error(`uses the reserved word ${token} as a name`);
    return token;
  }
  const name = names[token];
  if (name === undefined) throw tokens.error(`uses the name ${token}, which is not defined`);
  used.add(token);
  return name;
}

/** DynamoDB refuses two paths if one contains the other, or if one treats as a list what the other treats as a map. */
export function checkSeparate(tokens: Tokens, paths: readonly Path[]): void {
  for (const [index, one] of paths.entries()) {
    for (const other of paths.slice(index + 1)) {
      const at = one.findIndex((step, depth) => step !== other[depth]);
      const [step, otherStep] = [one[at], other[at]];
      if (step === undefined || otherStep === undefined) throw tokens.error('has two paths that overlap');
      if (typeof step !== typeof otherStep) throw tokens.error('has two paths that conflict');
    }
  }
}

/** Whether a value is a list, for a position, or a map, for a name. */
function contains(value: unknown, step: string | number): value is object {
  return isItem(value) && typeOf(value) === (typeof step === 'number' ? 'L' : 'M');
}

/** The value at a path, or undefined if there is none. */
export function valueAt(item: Readonly<Item>, path: Path): unknown {
  let value: unknown = item;
  for (const step of path) {
    value = contains(value, step) && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
  }
  return value;
}

/** Sets the value at a path. Returns false if the object or list that should contain it does not exist. */
export function setAt(item: Item, path: Path, value: unknown): boolean {
  const parent = valueAt(item, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined || !contains(parent, last)) return false;
  // A position after the end of a list appends to it.
  if (Array.isArray(parent) && typeof last === 'number' && last >= parent.length) parent.push(value);
  else Reflect.set(parent, last, value);
  return true;
}

/** Removes the value at a path, if there is one. */
export function removeAt(item: Item, path: Path): boolean {
  const parent = valueAt(item, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined || !contains(parent, last)) return false;
  if (Array.isArray(parent) && typeof last === 'number') parent.splice(last, 1);
  else Reflect.deleteProperty(parent, last);
  return true;
}

export function parseProjection(tokens: Tokens, input: ExpressionInput): readonly Path[] {
  const paths = [parsePath(tokens, input)];
  while (tokens.takeIf(',')) paths.push(parsePath(tokens, input));
  if (!tokens.isAtEnd) throw tokens.error(`has an unexpected ${tokens.peek()}`);
  checkSeparate(tokens, paths);
  return paths;
}

/** A copy of the item with only these attributes. Only attributes of the item itself, because no code projects deeper ones. */
export function project(item: Readonly<Item>, paths: readonly Path[]): Item {
  const projected: Item = {};
  for (const [name] of paths) {
    if (typeof name === 'string' && Object.hasOwn(item, name)) projected[name] = copyValue(item[name]);
  }
  return projected;
}
