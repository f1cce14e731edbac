import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { putItems, type StoredItem } from '../../local/dynamodb/put-items.ts';
import { type DynamoDbLocalOptions, startDynamoDbLocal } from '../../local/dynamodb-local.ts';
import { openTable, patience, type Table } from '../../shared/data/table.ts';
import { tableSchema } from '../../shared/data/table-schema.ts';

export interface Stand {
  /** Another client of the same table, with a meter of its own. */
  open(): Table;
  readonly endpoint: string;
  readonly tableName: string;
  /** Puts many items into it. Like everything that is put there by itself, it has no stream. */
  fill(items: Iterable<Readonly<Record<string, unknown>>>): Promise<void>;
  stop(): Promise<void>;
}

/** DynamoDB Local, in memory unless a folder is named, with one table of the stack's shape. */
export async function startStand(data: DynamoDbLocalOptions['data'] = 'memory'): Promise<Stand> {
  const dynamodb = await startDynamoDbLocal({ data });
  const config = {
    ...patience,
    endpoint: dynamodb.endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  };
  const tableName = 'bench';
  const { indexes, partitionKey, sortKey } = tableSchema;
  const keySchema = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  const names = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])];
  const client = new DynamoDBClient(config);
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema(partitionKey, sortKey),
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: 'ALL' as const },
      })),
    }),
  );
  client.destroy();
  return {
    open: () => openTable(tableName, config),
    endpoint: dynamodb.endpoint,
    tableName,
    fill: (items) => putItems(dynamodb.endpoint, tableName, storedItems(items)),
    stop: () => dynamodb.stop(),
  };
}

export function* storedItems(items: Iterable<Readonly<Record<string, unknown>>>): Generator<StoredItem> {
  for (const item of items) yield marshall(item, { removeUndefinedValues: true });
}
