import { marshall } from '@aws-sdk/util-dynamodb';
import { type DynamoDbLocalOptions, startDynamoDbLocal } from '../../local/dynamodb/dynamodb-local.ts';
import { putItems, type StoredItem } from '../../local/dynamodb/put-items.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import { createTable } from '../../test/support/create-table.ts';

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
    ...batchClientConfig,
    endpoint: dynamodb.endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  };
  const tableName = 'bench';
  await createTable(tableName, config);
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
