import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { convertToAttr, convertToNative } from '@aws-sdk/util-dynamodb';

type Fields = Readonly<Record<string, unknown>>;
type Attributes = Readonly<Record<string, AttributeValue>>;
type Convert = (item: unknown) => Fields;

/**
 * Converts the items of every call between values of JavaScript and DynamoDB's notation. The SDK does the same with several
 * intermediate objects for each value. It still converts the unusual values. Undefined values are left out.
 */
export function convertItems({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: Object(convertPart(args.input, toAttributes)) });
      return { ...result, output: Object(convertPart(result.output, fromAttributes)) };
    },
    { name: 'convertItems', step: 'serialize', priority: 'high' },
  );
}

/** The input or the output of a command, or a part of it, with its items converted. */
function convertPart(part: unknown, convert: Convert): Fields {
  return mapFields(part, (value, name) => (value === undefined ? undefined : convertField(name, value, convert)));
}

function convertField(name: string, value: unknown, convert: Convert): unknown {
  switch (name) {
    case 'Key':
    case 'Item':
    case 'Attributes':
    case 'ExpressionAttributeValues':
    case 'ExclusiveStartKey':
    case 'LastEvaluatedKey':
      return convert(value);
    case 'Keys':
    case 'Items':
      return mapList(value, convert);
    case 'TransactItems':
      return convertActions(value, convert);
    case 'RequestItems':
    case 'UnprocessedItems':
    case 'UnprocessedKeys':
      return mapFields(value, (ofTable) =>
        Array.isArray(ofTable) ? convertActions(ofTable, convert) : convertPart(ofTable, convert),
      );
    case 'Responses':
      // Of a transaction, or of a batch by table.
      return Array.isArray(value)
        ? mapList(value, (response) => convertPart(response, convert))
        : mapFields(value, (items) => mapList(items, convert));
    default:
      return value;
  }
}

/** `[{ Put: { Item: … } }, { DeleteRequest: { Key: … } }]` */
function convertActions(actions: unknown, convert: Convert): unknown {
  return mapList(actions, (action) => mapFields(action, (part) => convertPart(part, convert)));
}

function mapList(list: unknown, map: (value: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.map((value) => map(value)) : list;
}

function mapFields(part: unknown, map: (value: unknown, name: string) => unknown): Fields {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(Object(part))) fields[name] = map(value, name);
  return fields;
}

const options = { removeUndefinedValues: true };

export function toAttributes(from: unknown): Attributes {
  const item: Fields = Object(from);
  const attributes: Record<string, AttributeValue> = {};
  for (const name in item) {
    const value = item[name];
    if (isStored(value)) attributes[name] = toAttribute(value);
  }
  return attributes;
}

function toAttribute(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (Number.isSafeInteger(value)) return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter(isStored).map(toAttribute) };
  if (isPlainObject(value)) return { M: toAttributes(value) };
  return convertToAttr(value, options);
}

function isStored(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function';
}

function isPlainObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

export function fromAttributes(from: unknown): Fields {
  const attributes: Attributes = Object(from);
  const item: Record<string, unknown> = {};
  for (const name in attributes) item[name] = fromAttribute(attributes[name]);
  return item;
}

function fromAttribute(attribute: AttributeValue | undefined): unknown {
  if (attribute === undefined) return undefined;
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return fromNumber(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.NULL !== undefined) return null;
  if (attribute.L !== undefined) return attribute.L.map(fromAttribute);
  if (attribute.M !== undefined) return fromAttributes(attribute.M);
  return convertToNative(attribute);
}

function fromNumber(text: string): unknown {
  const value = Number(text);
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : convertToNative({ N: text });
}
