import { randomUUID } from 'node:crypto';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { startDynamoDbLocal } from '../../local/cloud/dynamodb/dynamodb-local.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import { createTable } from '../../tools/fixtures/create-table.ts';

let starting: ReturnType<typeof startDynamoDbLocal> | undefined;

/** The endpoint of DynamoDB Local. The first test that needs it starts it, and it ends with the worker. */
export async function startedDynamoDbLocal(): Promise<string> {
  starting ??= startDynamoDbLocal({ data: 'memory' });
  return (await starting).endpoint;
}

export async function localClientConfig(): Promise<DynamoDBClientConfig> {
  return {
    ...batchClientConfig,
    endpoint: await startedDynamoDbLocal(),
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
}

/** A new empty table on DynamoDB Local, for tests of what only it has. */
export async function createLocalTable(): Promise<Table> {
  const name = `test-${randomUUID()}`;
  const config = await localClientConfig();
  await createTable(name, config);
  return openTable(name, config);
}
