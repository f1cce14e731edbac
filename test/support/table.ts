import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { openTable, patience, type Table } from '../../shared/data/table.ts';
import { tableSchema } from '../../shared/data/table-schema.ts';

export function testClientConfig(): DynamoDBClientConfig {
  return {
    ...patience,
    endpoint: inject('dynamodbEndpoint'),
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
}

/** A new empty table on DynamoDB Local, of the same shape as the stack's. */
export async function createTestTable(): Promise<{ table: Table }> {
  const name = `test-${randomUUID()}`;
  const config = testClientConfig();
  const { indexes, partitionKey, sortKey } = tableSchema;
  const keySchema = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  const attributes = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])];
  const client = new DynamoDBClient(config);
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema(partitionKey, sortKey),
      AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: 'ALL' as const },
      })),
    }),
  );
  client.destroy();
  return { table: openTable(name, config) };
}
