import {
  DescribeContinuousBackupsCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateContributorInsightsCommand,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { tableSchema } from '../../shared/data/table/schema.ts';
import { describeTable } from './table-source.ts';

export interface PrepareOptions {
  readonly tableName: string;
  readonly stage: string;
  /** Whether the stage keeps its data: point-in-time recovery and deletion protection. */
  readonly keepData: boolean;
  readonly warmThroughput: { readonly readUnitsPerSecond: number; readonly writeUnitsPerSecond: number } | undefined;
  /** DynamoDB Local has no point-in-time recovery, contributor insights, tags, deletion protection and warm throughput. */
  readonly isLocal: boolean;
  readonly wait: () => Promise<void>;
  readonly print: (line: string) => void;
}

/**
 * Gives a restored table what a restore leaves out. Each setting is made only if the table does not have it, so an
 * interrupted run is repeated. Returns the ARN of the stream.
 */
export async function prepareTable(client: DynamoDBClient, options: PrepareOptions): Promise<string> {
  const { tableName: TableName, isLocal, keepData, print } = options;
  const change = async (what: string, settings: Omit<UpdateTableCommandInput, 'TableName'>): Promise<void> => {
    await client.send(new UpdateTableCommand({ TableName, ...settings }));
    await activeTable(client, options);
    print(`  ${what}`);
  };
  const table = await activeTable(client, options);
  if (table.StreamSpecification?.StreamEnabled !== true) {
    await change('stream of new images', {
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    });
  }
  await prepareTimeToLive(client, options);
  if (!isLocal) {
    if (keepData) await preparePointInTime(client, options);
    if (keepData && table.DeletionProtectionEnabled !== true) {
      await change('deletion protection', { DeletionProtectionEnabled: true });
    }
    await client.send(
      new TagResourceCommand({
        ResourceArn: table.TableArn,
        Tags: [
          { Key: 'application', Value: 'gateline' },
          { Key: 'stage', Value: options.stage },
        ],
      }),
    );
    if (!keepData) await reportThrottledKeys(client, table);
    const warm = warmSettings(table, options);
    if (warm !== undefined) await change('warm throughput', warm);
  }
  const { LatestStreamArn } = await activeTable(client, options);
  if (LatestStreamArn === undefined) throw new Error(`The table ${TableName} has no stream.`);
  return LatestStreamArn;
}

/** A day, if each wait takes ten seconds. */
const maxWaits = 8_640;

/** Waits until the table and its indexes are ACTIVE: AWS accepts one change at a time. */
export async function activeTable(
  client: DynamoDBClient,
  { tableName, wait }: Pick<PrepareOptions, 'tableName' | 'wait'>,
): Promise<TableDescription> {
  for (let waits = 0; waits < maxWaits; waits += 1) {
    const table = await describeTable(client, tableName);
    if (table === undefined) throw new Error(`There is no table ${tableName}.`);
    const states = [table.TableStatus, ...(table.GlobalSecondaryIndexes ?? []).map(({ IndexStatus }) => IndexStatus)];
    if (states.every((state) => state === 'ACTIVE')) return table;
    await wait();
  }
  throw new Error(`The table ${tableName} does not become ACTIVE. When it is, run the command again: it continues.`);
}

/** For the table and each index, as the stack does for a stage without real data. */
async function reportThrottledKeys(
  client: DynamoDBClient,
  { TableName, GlobalSecondaryIndexes = [] }: TableDescription,
) {
  for (const IndexName of [undefined, ...GlobalSecondaryIndexes.map((index) => index.IndexName)]) {
    await client.send(
      new UpdateContributorInsightsCommand({
        TableName,
        IndexName,
        ContributorInsightsAction: 'ENABLE',
        ContributorInsightsMode: 'THROTTLED_KEYS',
      }),
    );
  }
}

async function prepareTimeToLive(client: DynamoDBClient, { tableName: TableName, print }: PrepareOptions) {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  const status = TimeToLiveDescription?.TimeToLiveStatus ?? 'DISABLED';
  if (status === 'ENABLED' || status === 'ENABLING') return;
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName,
      TimeToLiveSpecification: { Enabled: true, AttributeName: tableSchema.timeToLive },
    }),
  );
  print('  time to live');
}

async function preparePointInTime(client: DynamoDBClient, { tableName: TableName, print }: PrepareOptions) {
  const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  const status = ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  if (status === 'ENABLED') return;
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
  print('  point-in-time recovery');
}

/** Undefined if table and indexes already serve what the stage is configured for. */
function warmSettings(
  table: TableDescription,
  { warmThroughput }: PrepareOptions,
): Omit<UpdateTableCommandInput, 'TableName'> | undefined {
  if (warmThroughput === undefined) return undefined;
  const WarmThroughput = {
    ReadUnitsPerSecond: warmThroughput.readUnitsPerSecond,
    WriteUnitsPerSecond: warmThroughput.writeUnitsPerSecond,
  };
  const isCold = ({ WarmThroughput: current }: Pick<TableDescription, 'WarmThroughput'>): boolean =>
    (current?.ReadUnitsPerSecond ?? 0) < WarmThroughput.ReadUnitsPerSecond ||
    (current?.WriteUnitsPerSecond ?? 0) < WarmThroughput.WriteUnitsPerSecond;
  const indexes = (table.GlobalSecondaryIndexes ?? []).filter(isCold);
  if (!isCold(table) && indexes.length === 0) return undefined;
  return {
    ...(isCold(table) && { WarmThroughput }),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexUpdates: indexes.map(({ IndexName }) => ({ Update: { IndexName, WarmThroughput } })),
    }),
  };
}
