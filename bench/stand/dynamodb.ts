import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type DynamoDbLocalOptions, startDynamoDbLocal } from '../../local/dynamodb-local.ts';
import { openTable, patience, type Table } from '../../shared/data/table.ts';
import { tableSchema } from '../../shared/data/table-schema.ts';

export interface Stand {
  /** Another client of the same table, with a meter of its own. */
  open(): Table;
  readonly endpoint: string;
  readonly tableName: string;
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
  const create = () =>
    client.send(
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
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  if (!TableNames.includes(tableName)) await create();
  client.destroy();
  return {
    open: () => openTable(tableName, config),
    endpoint: dynamodb.endpoint,
    tableName,
    stop: () => dynamodb.stop(),
  };
}
