import { marshall } from '@aws-sdk/util-dynamodb';
import { type DynamoDbLocalOptions, startDynamoDbLocal } from '../../local/cloud/dynamodb/dynamodb-local.ts';
import { putItems, type StoredItem } from '../../local/cloud/dynamodb/put-items.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import { createTable } from '../../tools/fixtures/create-table.ts';

export interface BenchTable {
  /** Opens another client of the same table, with a separate capacity meter. */
  open(): Table;
  readonly endpoint: string;
  readonly tableName: string;
  /** Writes many items at once. They do not appear in the table's stream. */
  fill(items: Iterable<Readonly<Record<string, unknown>>>): Promise<void>;
  stop(): Promise<void>;
}

/** Starts DynamoDB Local, in memory by default, and creates one table with the keys and indexes of the stack's table. */
export async function startBenchTable(data: DynamoDbLocalOptions['data'] = 'memory'): Promise<BenchTable> {
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
