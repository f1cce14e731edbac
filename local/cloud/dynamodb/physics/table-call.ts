import type { TableSchema } from '../model/schema.ts';
import type { Key } from '../model/storage.ts';
import { fieldOf, isItem } from '../model/values.ts';

type Input = Readonly<Record<string, unknown>>;

/** A partition key that a call uses. */
interface UsedPartition {
  readonly index: string | undefined;
  readonly partition: string;
  readonly sortKey: string;
}

/** What the physics need to know of a call before it is executed. */
export interface TableCall {
  readonly operation: string;
  readonly kind: 'read' | 'write' | 'transactRead' | 'transactWrite';
  /** The items that it reads or writes by their key, in the order of the request. */
  readonly items: readonly Key[];
  readonly partitions: readonly UsedPartition[];
  /** The partitions of indexes that show a whole item that is written. An index that is throttled refuses it. */
  readonly indexed: readonly UsedPartition[];
  readonly token: string | undefined;
}

/** Describes a request of the document client, or of the wire protocol. Undefined for an operation that no function calls. */
export function describeCall(schema: TableSchema, operation: string, input: Input): TableCall | undefined {
  const describe = descriptions[operation];
  if (describe === undefined) return undefined;
  const { kind, items = [], partitions = items.map(partitionOf), indexed = [] } = describe(input, schema);
  const token = typeof input.ClientRequestToken === 'string' ? input.ClientRequestToken : undefined;
  return { operation, kind, items, partitions, indexed, token };
}

interface Description {
  readonly kind: TableCall['kind'];
  readonly items?: readonly Key[];
  readonly partitions?: readonly UsedPartition[];
  readonly indexed?: readonly UsedPartition[];
}

const descriptions: Readonly<Record<string, (input: Input, schema: TableSchema) => Description>> = {
  GetItem: ({ Key: key }, schema) => ({ kind: 'read', items: [keyOf(key, schema)] }),
  BatchGetItem: ({ RequestItems }, schema) => ({
    kind: 'read',
    items: requests(RequestItems).flatMap((request) =>
      listOf(fieldOf(request, 'Keys')).map((key) => keyOf(key, schema)),
    ),
  }),
  Query: (input) => ({ kind: 'read', partitions: [queriedPartition(input)] }),
  PutItem: ({ Item: item }, schema) => ({
    kind: 'write',
    items: [keyOf(item, schema)],
    indexed: indexPartitions(item, schema),
  }),
  UpdateItem: ({ Key: key }, schema) => ({ kind: 'write', items: [keyOf(key, schema)] }),
  DeleteItem: ({ Key: key }, schema) => ({ kind: 'write', items: [keyOf(key, schema)] }),
  BatchWriteItem: ({ RequestItems }, schema) => {
    const writes = requests(RequestItems).flatMap(listOf).map(batchWrite);
    return {
      kind: 'write',
      items: writes.map((item) => keyOf(item, schema)),
      indexed: writes.flatMap((item) => indexPartitions(item, schema)),
    };
  },
  TransactGetItems: ({ TransactItems }, schema) => ({
    kind: 'transactRead',
    items: listOf(TransactItems).map((item) => transactKey(item, schema)),
  }),
  TransactWriteItems: ({ TransactItems }, schema) => ({
    kind: 'transactWrite',
    items: listOf(TransactItems).map((item) => transactKey(item, schema)),
    indexed: listOf(TransactItems).flatMap((item) => indexPartitions(fieldOf(fieldOf(item, 'Put'), 'Item'), schema)),
  }),
};

function transactKey(item: unknown, schema: TableSchema): Key {
  const [write] = requests(item).filter((value) => value !== undefined);
  return keyOf(fieldOf(write, 'Item') ?? fieldOf(write, 'Key'), schema);
}

/** The item that is put, or the key of the one that is deleted. */
function batchWrite(request: unknown): unknown {
  return fieldOf(fieldOf(request, 'PutRequest'), 'Item') ?? fieldOf(fieldOf(request, 'DeleteRequest'), 'Key');
}

function requests(value: unknown): readonly unknown[] {
  return isItem(value) ? Object.values(value) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function keyOf(item: unknown, { partitionKey, sortKey = '' }: TableSchema): Key {
  return { pk: textOf(fieldOf(item, partitionKey)), sk: textOf(fieldOf(item, sortKey)) };
}

/** The document client sends a text as it is, the wire protocol as `{ S: text }`. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : String(fieldOf(value, 'S') ?? '');
}

function partitionOf({ pk, sk }: Key): UsedPartition {
  return { index: undefined, partition: pk, sortKey: sk };
}

function indexPartitions(item: unknown, { indexes }: TableSchema): readonly UsedPartition[] {
  return indexes.flatMap(({ name, partitionKey, sortKey = '' }) => {
    const [partition, sort] = [fieldOf(item, partitionKey), fieldOf(item, sortKey)];
    return partition === undefined || sort === undefined
      ? []
      : [{ index: name, partition: textOf(partition), sortKey: textOf(sort) }];
  });
}

/** A Query must begin with its partition key. */
function queriedPartition({ KeyConditionExpression, ExpressionAttributeValues, IndexName }: Input): UsedPartition {
  const [, placeholder = ''] = /^[^=]*=\s*(:\w+)/.exec(String(KeyConditionExpression)) ?? [];
  const partition = textOf(fieldOf(ExpressionAttributeValues, placeholder));
  return { index: typeof IndexName === 'string' ? IndexName : undefined, partition, sortKey: '' };
}
