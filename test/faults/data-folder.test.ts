import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { type Cloud, startCloud } from '../../local/cloud/cloud.ts';
import type { FillTable } from '../../local/cloud/dynamodb/put-items.ts';
import { smallFunction, writeSmallAssembly } from '../local/fixture/small-assembly.ts';

const table = (indexName: string) => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: indexName,
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
    StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
  },
});
const streamArn = { 'Fn::GetAtt': ['Table', 'StreamArn'] };
const readStream = ['dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:DescribeStream'];
const resources = (indexName: string) => ({
  ...smallFunction('Fn', {}, [{ Effect: 'Allow', Action: readStream, Resource: streamArn }]),
  Table: table(indexName),
  Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: {} } },
  Mapping: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: { EventSourceArn: streamArn, FunctionName: { Ref: 'Fn' }, StartingPosition: 'TRIM_HORIZON' },
  },
});

function client({ operator: { region, ...credentials }, endpoints }: Cloud): DynamoDBClient {
  return new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
}

async function readSecret(cloud: Cloud): Promise<unknown> {
  const credential = `${cloud.operator.accessKeyId}/20260101/us-east-1/secretsmanager/aws4_request`;
  const response = await fetch(cloud.endpoints.secretsManager, {
    method: 'POST',
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${credential}`,
      'x-amz-target': 'secretsmanager.GetSecretValue',
    },
    body: JSON.stringify({ SecretId: cloud.physicalId('Secret') }),
  });
  return response.json();
}

/** Rows for a new table, as the nth attempt to fill it writes them. */
function fillAttempt(attempt: string, end: () => void = () => undefined): FillTable {
  return async (put) => {
    await put(Array.from({ length: 30 }, (_, index) => ({ pk: { S: `filled-${attempt}-${index}` } })));
    end();
  };
}

it('the data folder keeps the rows, the secret and the stream position; another table in it is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  const logs: string[] = [];
  const start = (indexName: string, fillTable: FillTable) =>
    startCloud({
      ...writeSmallAssembly(resources(indexName)),
      port: 0,
      data: { folder, format: 7 },
      fillTable,
      onLog: ({ text }) => logs.push(text),
    });
  const delivered = (pk: string) => logs.filter((text) => text.includes(`{"S":"${pk}"}`)).length;
  const put = (cloud: Cloud, pk: string) =>
    client(cloud).send(new PutItemCommand({ TableName: cloud.physicalId('Table'), Item: { pk: { S: pk } } }));
  const rows = async (cloud: Cloud): Promise<(string | undefined)[]> => {
    const { Items = [] } = await client(cloud).send(new ScanCommand({ TableName: cloud.physicalId('Table') }));
    return Items.map(({ pk }) => pk?.S);
  };

  // An interrupted fill leaves nothing behind.
  const interrupted = fillAttempt('cut-off', () => {
    throw new Error('killed');
  });
  await expect(start('one', interrupted)).rejects.toThrow('killed');

  const first = await start('one', fillAttempt('first'));
  expect(await rows(first)).toHaveLength(30);
  expect(await rows(first)).toContain('filled-first-29');
  await put(first, 'before');
  await expect.poll(() => delivered('before'), { timeout: 30_000 }).toBe(1);
  const secret = await readSecret(first);
  await first.stop();
  expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  // The rows are in the file by which a start recognises data of an earlier version.
  expect(existsSync(join(folder, 'shared-local-instance.db'))).toBe(true);
  expect(JSON.parse(readFileSync(join(folder, 'format.json'), 'utf8'))).toEqual({ format: 7 });

  const second = await start('one', fillAttempt('second'));
  await put(second, 'after');
  await expect.poll(() => delivered('after'), { timeout: 30_000 }).toBe(1);
  expect(delivered('before')).toBe(1);
  // The stream was opened after the fill.
  expect(logs.join()).not.toContain('filled');
  expect(await readSecret(second)).toMatchObject({ ...Object(secret), CreatedDate: expect.any(Number) });
  expect(await rows(second)).toHaveLength(32);
  expect(await rows(second)).toEqual(expect.arrayContaining(['before', 'after', 'filled-first-0']));
  await second.stop();

  const other = start('two', fillAttempt('other'));
  await expect(other).rejects.toThrow('The stored table Small-Table has different indexes than the template');
});
