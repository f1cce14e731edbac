import { compareSortKeys } from './compare-sort-keys.ts';

/** An item as the document client of the SDK represents it. A number is a double, so only 15 digits are exact. */
export type Item = Record<string, unknown>;

export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}

/** A field of something that may have none. */
export const fieldOf = (value: unknown, name: string): unknown => (isItem(value) ? value[name] : undefined);

/** The type of a value, by the letters that DynamoDB uses for it. */
export function typeOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'S';
    case 'number':
      return 'N';
    case 'boolean':
      return 'BOOL';
    default:
      return objectType(value);
  }
}

function objectType(value: unknown): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return 'B';
  if (Array.isArray(value)) return 'L';
  if (value instanceof Set)
    throw new TypeError('The model of the table has no sets, because no item of this project has one.');
  return 'M';
}

/** A negative, zero or positive number for two texts, numbers or binaries; undefined for values that have no order. */
export function compareValues(one: unknown, other: unknown): number | undefined {
  if (typeof one === 'string' && typeof other === 'string') return compareSortKeys(one, other);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other);
  return undefined;
}

export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const type = typeOf(one);
  if (type !== typeOf(other)) return false;
  if (type === 'B') return compareValues(one, other) === 0;
  if (Array.isArray(one) && Array.isArray(other)) return isSameList(one, other);
  return type === 'M' && isItem(one) && isItem(other) && isSameMap(one, other);
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => isSameValue(value, other[index]));
}

function isSameMap(one: Readonly<Item>, other: Readonly<Item>): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameValue(one[name], other[name]))
  );
}

/** A copy without undefined values, as the document client of this project sends it. */
export function copyValue(value: unknown): unknown {
  if (!isItem(value)) return value;
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.filter((inner) => inner !== undefined).map(copyValue);
  return copyItem(value);
}

export function copyItem(item: Readonly<Item>): Item {
  const copy: Item = {};
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) copy[name] = typeof value === 'object' ? copyValue(value) : value;
  }
  return copy;
}
