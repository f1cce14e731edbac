import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { putItems } from '../../local/cloud/dynamodb/put-items.ts';
import { type AwsJsonClient, createAwsJsonClient } from '../../local/cloud/http/aws-json-client.ts';
import { createTableInput } from '../../shared/data/table/schema.ts';
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
      await client.send(new CreateTableCommand(createTableInput(TargetTableName)));
  }
}

/** A client that sends and receives DynamoDB's own JSON, in which an export has its rows. */
function plainClient(endpoint: string): AwsJsonClient {
  return createAwsJsonClient({ endpoint, service: 'dynamodb', region: 'us-east-1', targetPrefix: 'DynamoDB_20120810' });
}

const rowsPerCall = 5_000;

/** Writes the rows of an export. Repeated, it writes the same rows again. */
export async function fillFromExport({ file, endpoint }: ExportSource, tableName: string): Promise<number> {
  const client = plainClient(endpoint);
  let rows = 0;
  for await (const items of exportedRows(file, rowsPerCall)) {
    await putItems(client, tableName, items);
    rows += items.length;
  }
  client.close();
  return rows;
}

const Page = v.object({
  Items: v.array(v.record(v.string(), v.unknown())),
  LastEvaluatedKey: v.optional(v.record(v.string(), v.unknown())),
});

/** Every row of a table of DynamoDB Local, which nothing may change meanwhile. */
export async function* readTable(endpoint: string, TableName: string): AsyncGenerator<readonly unknown[]> {
  const client = plainClient(endpoint);
  let start: Record<string, unknown> | undefined;
  do {
    const input = { TableName, ...(start && { ExclusiveStartKey: start }) };
    const page = v.parse(Page, await client.call('Scan', input));
    yield page.Items;
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  client.close();
}
