import { marshall } from '@aws-sdk/util-dynamodb';
import { type DynamoDbLocal, startDynamoDbLocal } from '../../local/cloud/dynamodb/dynamodb-local.ts';
import { putItems } from '../../local/cloud/dynamodb/put-items.ts';
import { createAwsJsonClient } from '../../local/cloud/http/aws-json-client.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import { createTable } from '../../tools/fixtures/create-table.ts';

export interface BenchTable {
  /** Opens another client of the same table, with a separate capacity meter. */
  open(): Table;
  readonly endpoint: string;
  readonly tableName: string;
  fill(items: Iterable<Readonly<Record<string, unknown>>>): Promise<void>;
  stop(): Promise<void>;
}

const tableName = 'bench';
const region = 'eu-west-1';

/** Starts DynamoDB Local in memory, and creates one table with the keys and indexes of the stack's table. */
export async function startBenchTable(): Promise<BenchTable> {
  const database = await startDynamoDbLocal({ data: 'memory' });
  const client = createAwsJsonClient({ ...database, service: 'dynamodb', region, targetPrefix: 'DynamoDB_20120810' });
  return {
    ...(await createdTable(database)),
    fill: (items) => putItems(client, tableName, storedItems(items)),
    stop: () => {
      client.close();
      return database.stop();
    },
  };
}

/** Creates the table in a database. */
export async function createdTable({ endpoint }: Pick<DynamoDbLocal, 'endpoint'>) {
  const config = {
    ...batchClientConfig,
    endpoint,
    region,
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  };
  await createTable(tableName, config);
  return { open: () => openTable(tableName, config), endpoint, tableName };
}

function* storedItems(items: Iterable<Readonly<Record<string, unknown>>>) {
  for (const item of items) yield marshall(item, { removeUndefinedValues: true });
}
