import { tableSchema } from '../../shared/data/table/schema.ts';

type Item = Readonly<Record<string, unknown>>;

/** The size of an item as DynamoDB counts it: the bytes of names and values, half a byte for each digit of a number. */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + 1 + valueBytes(one), 3);
  return 3 + itemBytes(Object(value));
}

const kilobytes = (item: Item): number => Math.max(1, Math.ceil(itemBytes(item) / 1024));

/**
 * The write units of an item in a transaction: two for each started kilobyte, and one for each kilobyte in every index that
 * contains the item. DynamoDB Local counts transactions differently from the service.
 */
export function transactedWriteUnits(item: Item): number {
  const indexed = tableSchema.indexes.filter(({ partitionKey, sortKey }) => partitionKey in item && sortKey in item);
  return kilobytes(item) * (2 + indexed.length);
}
