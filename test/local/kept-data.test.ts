import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { type Cloud, startCloud } from '../../local/cloud.ts';
import { smallFunction, writeSmallAssembly } from './fixture/small-assembly.ts';

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

test('a folder keeps the rows, the secret and the place in the stream; another table in it is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  const logs: string[] = [];
  const start = (indexName: string) =>
    startCloud({
      ...writeSmallAssembly(resources(indexName)),
      port: 0,
      data: { folder },
      onLog: ({ text }) => logs.push(text),
    });
  const delivered = (pk: string) => logs.filter((text) => text.includes(`{"S":"${pk}"}`)).length;
  const put = (cloud: Cloud, pk: string) =>
    client(cloud).send(new PutItemCommand({ TableName: cloud.physicalId('Table'), Item: { pk: { S: pk } } }));

  const first = await start('one');
  await put(first, 'before');
  await expect.poll(() => delivered('before'), { timeout: 30_000 }).toBe(1);
  const secret = await readSecret(first);
  await first.stop();
  expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);

  const second = await start('one');
  await put(second, 'after');
  await expect.poll(() => delivered('after'), { timeout: 30_000 }).toBe(1);
  expect(delivered('before')).toBe(1);
  expect(await readSecret(second)).toMatchObject({ ...Object(secret), CreatedDate: expect.any(Number) });
  const kept = { TableName: second.physicalId('Table'), Key: { pk: { S: 'before' } } };
  expect((await client(second).send(new GetItemCommand(kept))).Item).toBeDefined();
  await second.stop();

  await expect(start('two')).rejects.toThrow('The kept table Small-Table has other indexes than the template');
});
