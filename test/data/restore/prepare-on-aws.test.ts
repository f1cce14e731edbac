import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { closeServer, listen } from '../../../local/cloud/http/listen.ts';
import { activeTable, prepareTable } from '../../../tools/restore/prepare-table.ts';
import { createFrom } from '../../../tools/restore/table-source.ts';

type Fields = Record<string, unknown>;

/** What AWS knows of the new table. It is CREATING or UPDATING for one look after each change, and then refuses changes. */
let table: Fields | undefined;
let calls: { readonly action: string; readonly input: Fields }[] = [];
let settings: { ttl: string; pointInTime: string };

const answers: Readonly<Record<string, (input: Fields) => object>> = {
  DescribeTable: () => {
    const shown = { ...table };
    if (table !== undefined) table.TableStatus = 'ACTIVE';
    return { Table: shown };
  },
  RestoreTableToPointInTime: ({ TargetTableName }) => {
    const TableArn = `arn:aws:dynamodb:eu-west-1:123456789012:table/${TargetTableName}`;
    table = { TableName: TargetTableName, TableArn, TableStatus: 'CREATING', GlobalSecondaryIndexes: [index] };
    return {};
  },
  UpdateTable: ({ TableName: _, ...changes }) => {
    if (table?.TableStatus !== 'ACTIVE') throw new Error('AWS accepts one change at a time.');
    table = { ...table, ...changes, TableStatus: 'UPDATING', LatestStreamArn: `${table.TableArn}/stream/1` };
    return {};
  },
  DescribeTimeToLive: () => ({ TimeToLiveDescription: { TimeToLiveStatus: settings.ttl } }),
  UpdateTimeToLive: () => {
    settings.ttl = 'ENABLED';
    return {};
  },
  DescribeContinuousBackups: () => ({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: settings.pointInTime },
    },
  }),
  UpdateContinuousBackups: () => {
    settings.pointInTime = 'ENABLED';
    return {};
  },
  TagResource: () => ({}),
  UpdateContributorInsights: () => ({}),
};
const cold = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 };
const index = { IndexName: 'by1', IndexStatus: 'ACTIVE', WarmThroughput: cold };

const server = createServer(async (request, response) => {
  const action = String(request.headers['x-amz-target']).split('.')[1] ?? '';
  const input: Fields = JSON.parse(await text(request));
  calls.push({ action, input });
  response
    .writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
    .end(JSON.stringify(answers[action]?.(input) ?? {}));
});
let client: DynamoDBClient;

beforeAll(async () => {
  const endpoint = `http://127.0.0.1:${await listen(server, 0)}`;
  client = new DynamoDBClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
afterAll(() => {
  client.destroy();
  return closeServer(server);
});
beforeEach(() => {
  table = undefined;
  calls = [];
  settings = { ttl: 'DISABLED', pointInTime: 'DISABLED' };
});

const options = {
  tableName: 'gateline-prod-2',
  stage: 'prod',
  keepData: true,
  warmThroughput: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 8_000 },
  isLocal: false,
  wait: async () => {},
  print: () => undefined,
};
const changesMade = () => calls.filter(({ action }) => !action.startsWith('Describe'));

it('a restore to a point in time keeps the key of the table, and gives the new table what AWS leaves out', async () => {
  const time = new Date('2026-11-16T06:00:00Z');
  const source = { kind: 'point-in-time', tableName: 'gateline-prod', time } as const;
  await createFrom(client, source, { tableName: options.tableName, keyArn: 'arn:aws:kms:eu-west-1:1:key/1' });
  expect(calls[0]?.input).toMatchObject({
    SourceTableName: 'gateline-prod',
    TargetTableName: 'gateline-prod-2',
    RestoreDateTime: time.getTime() / 1000,
    SSESpecificationOverride: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: 'arn:aws:kms:eu-west-1:1:key/1' },
  });
  expect(await prepareTable(client, options)).toMatch(/\/stream\/1$/);
  const WarmThroughput = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 8_000 };
  expect(changesMade().slice(1)).toMatchObject([
    { action: 'UpdateTable', input: { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } } },
    { action: 'UpdateTimeToLive', input: { TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } } },
    { action: 'UpdateContinuousBackups' },
    { action: 'UpdateTable', input: { DeletionProtectionEnabled: true } },
    { action: 'TagResource', input: { Tags: [{ Key: 'application' }, { Key: 'stage', Value: 'prod' }] } },
    {
      action: 'UpdateTable',
      input: { WarmThroughput, GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'by1', WarmThroughput } }] },
    },
  ]);
});

it('a repeated preparation of a restored table changes only what is missing', async () => {
  await createFrom(
    client,
    { kind: 'point-in-time', tableName: 'gateline-prod', time: 'latest' },
    { ...options, keyArn: undefined },
  );
  expect(calls[0]?.input).toMatchObject({ UseLatestRestorableTime: true });
  await prepareTable(client, { ...options, warmThroughput: undefined });
  calls = [];
  await prepareTable(client, { ...options, warmThroughput: undefined });
  expect(changesMade().map(({ action }) => action)).toEqual(['TagResource']);
});

it('a restored table of a stage without real data reports throttled keys, and so do its indexes', async () => {
  const source = { kind: 'point-in-time', tableName: 'gateline-dev', time: 'latest' } as const;
  await createFrom(client, source, { ...options, keyArn: undefined });
  await prepareTable(client, { ...options, keepData: false });
  const reports = calls.filter(({ action }) => action === 'UpdateContributorInsights').map(({ input }) => input);
  expect(reports).toMatchObject([
    { TableName: options.tableName, ContributorInsightsMode: 'THROTTLED_KEYS' },
    { IndexName: 'by1', ContributorInsightsMode: 'THROTTLED_KEYS' },
  ]);
});

it('restore gives up a table that does not become ACTIVE, and says how to go on', async () => {
  const client = new DynamoDBClient({ region: 'eu-west-1' });
  const output = { $metadata: {}, Table: { TableStatus: 'UPDATING' } };
  client.middlewareStack.add(() => async () => ({ output, response: {} }), { step: 'initialize' });
  let waits = 0;
  const wait = async () => {
    waits += 1;
    if (waits > 100_000) throw new Error('The loop does not end.');
  };
  await expect(activeTable(client, { tableName: 't', wait })).rejects.toThrow('run the command again');
});
