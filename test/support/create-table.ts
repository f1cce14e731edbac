import { CreateTableCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { tableSchema } from '../../shared/data/table/schema.ts';

/** An empty table on DynamoDB Local, of the same shape as the stack's. */
export async function createTable(TableName: string, config: DynamoDBClientConfig): Promise<void> {
  const { indexes, partitionKey, sortKey } = tableSchema;
  const keySchema = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  const names = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])];
  const client = new DynamoDBClient(config);
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema(partitionKey, sortKey),
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: index.projection },
      })),
    }),
  );
  client.destroy();
}
