import { randomUUID } from 'node:crypto';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import { createTable } from '../../tools/fixtures/create-table.ts';

export function testClientConfig(): DynamoDBClientConfig {
  return {
    ...batchClientConfig,
    endpoint: inject('dynamodbEndpoint'),
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
}

/** A new empty table on DynamoDB Local, of the same shape as the stack's. */
export async function createTestTable(): Promise<{ table: Table }> {
  const name = `test-${randomUUID()}`;
  const config = testClientConfig();
  await createTable(name, config);
  return { table: openTable(name, config) };
}
