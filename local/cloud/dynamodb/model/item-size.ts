import { type Item, isItem } from './values.ts';

/** The size of an item as DynamoDB counts it: the bytes of names and values, and a byte for each element of a list or map. */
export function itemBytes(item: Readonly<Item>): number {
  let bytes = 0;
  for (const name in item) bytes += Buffer.byteLength(name) + valueBytes(item[name]);
  return bytes;
}

function valueBytes(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + 1 + valueBytes(one), 3);
  return isItem(value) ? 3 + itemBytes(value) + Object.keys(value).length : 0;
}

/** A byte for each two digits on either side of the point, without zeros at the ends; one more for the number, and one for its sign. */
function numberBytes(value: number): number {
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`The document client of the SDK refuses the number ${value}, which is not exact.`);
  const [whole = '', fraction = ''] = String(Math.abs(value)).split('.');
  const pairs = `${whole.length % 2 === 0 ? '' : '0'}${whole}${fraction}${fraction.length % 2 === 0 ? '' : '0'}`;
  return pairs.replace(/^(00)+|(00)+$/g, '').length / 2 + (value < 0 ? 2 : 1);
}

/** The started kilobytes of a write, at least one. */
export const writeUnitsOf = (item: Readonly<Item>): number => Math.max(1, Math.ceil(itemBytes(item) / 1024));

/** Half a unit for each started 4 KB of an eventually consistent read, a whole one of a consistent read, and at least that for nothing. */
export const readUnitsOf = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);
