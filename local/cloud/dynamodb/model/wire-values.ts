import { type Item, isItem } from './values.ts';

/** DynamoDB's notation of a value in JSON: `{ S: 'text' }`. Binaries are base64. */
type WireValue = Readonly<Record<string, unknown>>;

export function fromWire(item: unknown): Item {
  const native: Item = {};
  for (const [name, value] of entriesOf(item)) native[name] = valueFromWire(value);
  return native;
}

/** The entries of a JSON object. */
function entriesOf(value: unknown): readonly [string, unknown][] {
  return isItem(value) ? Object.entries(value) : [];
}

function valueFromWire(wire: unknown): unknown {
  const [[type, value] = []] = entriesOf(wire);
  switch (type) {
    case 'S':
    case 'BOOL':
      return value;
    case 'N':
      return Number(value);
    case 'NULL':
      return null;
    case 'B':
      return Uint8Array.from(Buffer.from(String(value), 'base64'));
    case 'L':
      return listOf(value).map(valueFromWire);
    case 'M':
      return fromWire(value);
    default:
      throw new TypeError(`The model of the table does not know the type ${type}.`);
  }
}

export function toWire(item: unknown): Record<string, WireValue> {
  const wire: Record<string, WireValue> = {};
  for (const [name, value] of entriesOf(item)) {
    if (value !== undefined) wire[name] = valueToWire(value);
  }
  return wire;
}

function valueToWire(value: unknown): WireValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return { L: value.map(valueToWire) };
  return { M: toWire(value) };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

type Convert = (item: unknown) => unknown;

/** The names of the fields of a request or response that contain one item, and those that contain several. */
const itemFields = new Set([
  'Item',
  'Key',
  'Attributes',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
]);
const listFields = new Set(['Items', 'Keys']);

/** A request or a response, or a part of it, with its items converted. */
export function convertItems(part: unknown, convert: Convert): Item {
  const converted: Item = {};
  for (const [name, value] of entriesOf(part)) {
    if (itemFields.has(name)) converted[name] = convert(value);
    else if (listFields.has(name)) converted[name] = listOf(value).map(convert);
    // Only BatchGetItem has the items of a response directly under the name of their table.
    else if (name === 'Responses' && !Array.isArray(value)) {
      const tables = entriesOf(value).map(([table, Items]) => [table, convertItems({ Items }, convert).Items]);
      converted[name] = Object.fromEntries(tables);
    } else if (Array.isArray(value)) converted[name] = value.map((inner) => convertItems(inner, convert));
    else converted[name] = isItem(value) ? convertItems(value, convert) : value;
  }
  return converted;
}
