import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, startFixture } from './fixture/start-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
  for (const pk of ['OWN#1', 'EXACT', 'OTHER#1']) {
    const Item = { pk, sk: 'a', gsi1pk: pk, value: 1 };
    await fixture.table.send(new PutCommand({ TableName: fixture.tableName, Item }));
  }
});
afterAll(() => fixture.stop());

const TableName = '$table';
const limited = (command: string, input: Record<string, unknown>) => fixture.invoke('TableLimited', { command, input });
const key = (pk: string) => ({ pk, sk: 'a' });
const denied = { error: { name: 'AccessDeniedException' } };

/** Every command that reaches items, with the keys it touches. */
const commands: Record<string, (...pks: string[]) => [string, Record<string, unknown>]> = {
  GetItem: (pk = '') => ['GetCommand', { TableName, Key: key(pk) }],
  PutItem: (pk = '') => ['PutCommand', { TableName, Item: { ...key(pk), gsi1pk: pk } }],
  UpdateItem: (pk = '') => [
    'UpdateCommand',
    { TableName, Key: key(pk), UpdateExpression: 'SET v = :v', ExpressionAttributeValues: { ':v': 1 } },
  ],
  Query: (pk = '') => [
    'QueryCommand',
    {
      TableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :a)',
      ExpressionAttributeValues: { ':pk': pk, ':a': 'a' },
    },
  ],
  'Query of an index': (pk = '') => [
    'QueryCommand',
    {
      TableName,
      IndexName: 'gsi1',
      KeyConditionExpression: '#s >= :a AND (#k = :pk)',
      ExpressionAttributeNames: { '#s': 'sk', '#k': 'gsi1pk' },
      ExpressionAttributeValues: { ':pk': pk, ':a': 'a' },
    },
  ],
  BatchGetItem: (...pks) => ['BatchGetCommand', { RequestItems: { [TableName]: { Keys: pks.map(key) } } }],
  BatchWriteItem: (...pks) => [
    'BatchWriteCommand',
    { RequestItems: { [TableName]: pks.map((pk) => ({ PutRequest: { Item: { ...key(pk), gsi1pk: pk } } })) } },
  ],
  TransactGetItems: (...pks) => [
    'TransactGetCommand',
    { TransactItems: pks.map((pk) => ({ Get: { TableName, Key: key(pk) } })) },
  ],
  TransactWriteItems: (first = '', second = 'OWN#2') => [
    'TransactWriteCommand',
    {
      TransactItems: [
        { Put: { TableName, Item: { ...key(second), gsi1pk: second } } },
        { ConditionCheck: { TableName, Key: key(first), ConditionExpression: 'attribute_exists(pk)' } },
      ],
    },
  ],
};

describe('IAM grant limited to leading keys', () => {
  test.each(Object.keys(commands))('a leading-key grant lets %s reach its own partitions', async (name) => {
    const [command, input] = commands[name]?.('OWN#1', 'EXACT') ?? ['', {}];
    expect(await limited(command, input)).toHaveProperty('output');
  });

  test.each(Object.keys(commands))('a leading-key grant keeps %s from another partition', async (name) => {
    const [command, input] = commands[name]?.('OTHER#1') ?? ['', {}];
    expect(await limited(command, input)).toMatchObject(denied);
  });

  test.each(['BatchGetItem', 'BatchWriteItem', 'TransactGetItems', 'TransactWriteItems'])(
    'a leading-key grant refuses the whole %s for one key of another partition',
    async (name) => {
      const [command, input] = commands[name]?.('OWN#1', 'OTHER#1') ?? ['', {}];
      expect(await limited(command, input)).toMatchObject(denied);
    },
  );

  test('a leading-key grant does not allow a Scan, which names no leading key', async () => {
    expect(await limited('ScanCommand', { TableName })).toHaveProperty('output');
  });

  test('a leading-key grant refuses PartiQL, whose keys are not visible', async () => {
    const Statement = `SELECT * FROM "${fixture.tableName}" WHERE pk = 'OWN#1'`;
    expect(await limited('ExecuteStatementCommand', { Statement })).toMatchObject(denied);
    expect(
      await fixture.invoke('TableAll', { command: 'ExecuteStatementCommand', input: { Statement } }),
    ).toMatchObject(denied);
  });
});

describe('missing IAM grant', () => {
  const role = (id: string) =>
    fixture.cloud.template.ofType('AWS::IAM::Role').find(({ logicalId }) => logicalId.startsWith(`${id}ServiceRole`))
      ?.ref;

  test('a missing grant is refused in the words of AWS, which name the function and the action', async () => {
    const functionName = fixture.cloud.physicalId(fixture.logicalId('AWS::Lambda::Function', 'TableLimited'));
    const message =
      `User: arn:aws:sts::000000000000:assumed-role/${role('TableLimited')}/${functionName} is not authorized to perform: ` +
      `dynamodb:DeleteItem on resource: arn:aws:dynamodb:us-east-1:000000000000:table/${fixture.tableName} ` +
      'because no identity-based policy allows the dynamodb:DeleteItem action';
    const result = await limited('DeleteCommand', { TableName, Key: key('OWN#1') });
    expect(result).toEqual({ error: { name: 'AccessDeniedException', message } });
    expect(fixture.logs).toContain(`${functionName}: ${message}`);
  });

  test.each([
    ['sqs:SendMessage', () => ({ messages: { queue: fixture.queueUrl('Orders'), bodies: ['x'] } })],
    ['sqs:SendMessage', () => ({ messages: { queue: fixture.queueUrl('Orders'), bodies: ['x', 'y'] } })],
    ['events:PutEvents', () => ({ events: [{ Source: 's', DetailType: 'd', Detail: '{}' }] })],
    ['secretsmanager:GetSecretValue', () => ({})],
  ])('a missing grant of %s is refused', async (action, event) => {
    expect(await fixture.invoke('NoGrants', event())).toMatchObject({
      error: { message: expect.stringContaining(`is not authorized to perform: ${action} on resource`) },
    });
  });

  test('a grant for another queue is refused', async () => {
    const event = { messages: { queue: fixture.queueUrl('Unread'), bodies: ['x'] } };
    expect(await fixture.invoke('Messaging', event)).toMatchObject(denied);
  });
});

describe('IAM proxy', () => {
  test('the IAM proxy refuses a service that does not run locally, and logs it', async () => {
    const result = await fixture.invoke('Messaging', { service: 'kms' });
    const message = 'The local cloud does not run the service kms';
    expect(result).toMatchObject({ error: { message: expect.stringContaining(message) } });
    expect(fixture.logs.some((line) => line.endsWith(message))).toBe(true);
  });

  test('the IAM proxy refuses unknown credentials', async () => {
    const response = await fetch(fixture.cloud.endpoints.dynamodb, {
      method: 'POST',
      headers: {
        authorization: 'AWS4-HMAC-SHA256 Credential=NOBODY/20260101/us-east-1/dynamodb/aws4_request, Signature=x',
        'x-amz-target': 'DynamoDB_20120810.ListTables',
      },
      body: '{}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ __type: expect.stringContaining('#UnrecognizedClientException') });
  });
});
