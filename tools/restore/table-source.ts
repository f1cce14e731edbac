import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { putItems } from '../../local/cloud/dynamodb/put-items.ts';
import { tableSchema } from '../../shared/data/table/schema.ts';
import { exportedRows } from './export-file.ts';

/** Where the rows of the new table come from. */
export type TableSource =
  | { readonly kind: 'point-in-time'; readonly tableName: string; readonly time: Date | 'latest' }
  /** A backup of DynamoDB, such as the one that it makes of a deleted table. */
  | { readonly kind: 'backup'; readonly backupArn: string }
  /** A file of a table export, for DynamoDB Local, which has neither. */
  | ExportSource;

interface ExportSource {
  readonly kind: 'export';
  readonly file: string;
  /** The address of DynamoDB Local. */
  readonly endpoint: string;
}

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

const rowsPerCall = 5_000;

/**
 * Writes the rows of an export. Repeated, it writes the same rows again. The rows are no news to the workers, so they must not
 * reach a stream: putItems writes none, also if an interrupted run has already enabled it.
 */
export async function fillFromExport({ file, endpoint }: ExportSource, tableName: string): Promise<number> {
  let rows = 0;
  for await (const items of exportedRows(file, rowsPerCall)) {
    await putItems(endpoint, tableName, items);
    rows += items.length;
  }
  return rows;
}
