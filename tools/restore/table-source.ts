import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { tableSchema } from '../../shared/data/table/schema.ts';

/** Where the rows of the new table come from. */
export type TableSource =
  | { readonly kind: 'point-in-time'; readonly tableName: string; readonly time: Date | 'latest' }
  /** A backup of DynamoDB, such as the one that it makes of a deleted table. */
  | { readonly kind: 'backup'; readonly backupArn: string }
  /** A file of a table export, for DynamoDB Local, which has neither. */
  | { readonly kind: 'export'; readonly file: string };

/** Undefined if there is no such table. */
export async function describeTable(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Begins to create the new table. On AWS it is complete when it is ACTIVE. */
export async function createFrom(
  client: DynamoDBClient,
  source: TableSource,
  { tableName: TargetTableName, keyArn }: { readonly tableName: string; readonly keyArn: string | undefined },
): Promise<void> {
  // Without this, the new table would be encrypted with the key of AWS.
  const encryption = keyArn !== undefined && {
    SSESpecificationOverride: { Enabled: true, SSEType: 'KMS' as const, KMSMasterKeyId: keyArn },
  };
  const settings = { TargetTableName, BillingModeOverride: 'PAY_PER_REQUEST' as const, ...encryption };
  switch (source.kind) {
    case 'point-in-time':
      await client.send(
        new RestoreTableToPointInTimeCommand({
          ...settings,
          SourceTableName: source.tableName,
          ...(source.time === 'latest' ? { UseLatestRestorableTime: true } : { RestoreDateTime: source.time }),
        }),
      );
      return;
    case 'backup':
      await client.send(new RestoreTableFromBackupCommand({ ...settings, BackupArn: source.backupArn }));
      return;
    case 'export':
      await createEmpty(client, TargetTableName);
  }
}

async function createEmpty(client: DynamoDBClient, TableName: string): Promise<void> {
  const { indexes, ...own } = tableSchema;
  const keys = ({ partitionKey, sortKey }: { readonly partitionKey: string; readonly sortKey: string }) => [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
  const names = [own, ...indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys(own),
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keys(index),
        Projection: { ProjectionType: index.projection },
      })),
    }),
  );
}

const Line = v.object({
  Item: v.record(
    v.string(),
    v.custom<AttributeValue>((value) => typeof value === 'object'),
  ),
});
const rowsPerBatch = 25;

/** Writes the rows of an export. Repeated, it writes the same rows again. */
export async function fillFromExport(client: DynamoDBClient, tableName: string, file: string): Promise<number> {
  const content = createReadStream(file);
  const lines = createInterface({ input: file.endsWith('.gz') ? content.pipe(createGunzip()) : content });
  let batch: WriteRequest[] = [];
  let rows = 0;
  const write = async (): Promise<void> => {
    if (batch.length > 0) await writeBatch(client, tableName, batch);
    rows += batch.length;
    batch = [];
  };
  for await (const line of lines) {
    batch.push({ PutRequest: { Item: withBytes(v.parse(Line, JSON.parse(line)).Item) } });
    if (batch.length === rowsPerBatch) await write();
  }
  await write();
  return rows;
}

async function writeBatch(client: DynamoDBClient, tableName: string, batch: WriteRequest[]): Promise<void> {
  let left = batch;
  while (left.length > 0) {
    const answer = await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: left } }));
    left = answer.UnprocessedItems?.[tableName] ?? [];
  }
}

/** An export has bytes as base64. */
function withBytes(item: Record<string, AttributeValue>): Record<string, AttributeValue> {
  const entries = Object.entries(item).map(([name, value]): [string, AttributeValue] => [
    name,
    value.B === undefined ? value : { B: Buffer.from(String(value.B), 'base64') },
  ]);
  return Object.fromEntries(entries);
}
