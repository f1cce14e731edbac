import { describe, expect, test } from 'vitest';
import { dynamoDbAccess } from '../../local/cloud/iam/dynamodb-access.ts';
import { checkConditions, decide, isAllowed } from '../../local/cloud/iam/evaluate.ts';
import { readPolicyDocument } from '../../local/cloud/iam/statement.ts';

const tableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/main';
const policy = (...Statement: unknown[]) => readPolicyDocument({ Version: '2012-10-17', Statement }, 'a test');
const allow = (Action: unknown, Resource: unknown, Condition?: unknown) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...(Condition !== undefined && { Condition }),
});
const requestFor = (action: string, resource = tableArn, leadingKeys?: string[]) => ({
  action,
  resource,
  context: leadingKeys === undefined ? {} : { 'dynamodb:LeadingKeys': leadingKeys },
});

describe('IAM policies', () => {
  test('IAM policies refuse what no statement allows', () => {
    expect(isAllowed([], requestFor('dynamodb:GetItem'))).toBe(false);
    expect(isAllowed(policy(allow('dynamodb:PutItem', tableArn)), requestFor('dynamodb:GetItem'))).toBe(false);
    expect(isAllowed(policy(allow('dynamodb:GetItem', `${tableArn}2`)), requestFor('dynamodb:GetItem'))).toBe(false);
  });

  test('IAM policies allow by wildcards, and actions regardless of case', () => {
    const statements = policy(allow(['DYNAMODB:get*', 'sqs:?endMessage'], '*'));
    expect(isAllowed(statements, requestFor('dynamodb:GetItem'))).toBe(true);
    expect(isAllowed(statements, requestFor('sqs:SendMessage'))).toBe(true);
    expect(isAllowed(statements, requestFor('dynamodb:PutItem'))).toBe(false);
  });

  test('an explicit Deny wins over any Allow', () => {
    const statements = policy(allow('*', '*'), { Effect: 'Deny', Action: 'dynamodb:DeleteItem', Resource: '*' });
    expect(decide(statements, requestFor('dynamodb:GetItem'))).toBe('allowed');
    expect(decide(statements, requestFor('dynamodb:DeleteItem'))).toBe('denied explicitly');
  });

  test('IAM policies distinguish an index from its table', () => {
    expect(
      isAllowed(policy(allow('dynamodb:Query', tableArn)), requestFor('dynamodb:Query', `${tableArn}/index/gsi1`)),
    ).toBe(false);
  });

  test.each(['StringEquals', 'StringLike'])('ForAllValues:%s holds for each value, and for none at all', (operator) => {
    const statements = policy(
      allow('*', '*', { [`ForAllValues:${operator}`]: { 'dynamodb:LeadingKeys': ['ORG#1', 'ORG#2'] } }),
    );
    expect(isAllowed(statements, requestFor('dynamodb:BatchGetItem', tableArn, ['ORG#1', 'ORG#2']))).toBe(true);
    expect(isAllowed(statements, requestFor('dynamodb:BatchGetItem', tableArn, ['ORG#1', 'ORG#3']))).toBe(false);
    expect(isAllowed(statements, requestFor('dynamodb:Scan'))).toBe(true);
  });

  test('StringEquals treats a star literally', () => {
    const statements = policy(allow('*', '*', { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['ORG#*'] } }));
    expect(isAllowed(statements, requestFor('dynamodb:GetItem', tableArn, ['ORG#1']))).toBe(false);
  });

  test.each([
    [{ StringEquals: { 'dynamodb:LeadingKeys': 'x' } }, /StringEquals on dynamodb:LeadingKeys in TheRole/],
    [{ 'ForAllValues:StringEquals': { 'dynamodb:Attributes': 'x' } }, /dynamodb:Attributes in TheRole/],
  ])('a condition that cannot be evaluated is refused: %j', (condition, message) => {
    expect(() => checkConditions(policy(allow('*', '*', condition)), 'TheRole')).toThrow(message);
  });

  test('a policy with an unknown element is refused', () => {
    expect(() => policy({ Effect: 'Allow', NotAction: 'iam:*', Resource: '*' })).toThrow(
      /policy in a test is not supported/,
    );
  });
});

describe('required access of a DynamoDB call', () => {
  const read = dynamoDbAccess(
    'us-east-1',
    new Map([['main', { partitionKey: 'pk', indexPartitionKeys: { gsi1: 'g' } }]]),
  );
  const leadingKeys = (operation: string, input: Record<string, unknown>) =>
    read(operation, { TableName: 'main', ...input }).map(({ context }) => context['dynamodb:LeadingKeys']);

  test('the required access recognises a table by its ARN', () => {
    expect(read('GetItem', { TableName: tableArn, Key: { pk: { S: 'A' } } })).toEqual([
      requestFor('dynamodb:GetItem', tableArn, ['A']),
    ]);
  });

  test('the required access contains the key of any type', () => {
    expect(leadingKeys('GetItem', { Key: { pk: { N: '7' } } })).toEqual([['7']]);
  });

  test.each([
    'pk = :pk',
    ':pk = pk',
    '(pk = :pk) AND (sk BETWEEN :a AND :b)',
    'begins_with(sk, :a) and pk=:pk',
    '#p = :pk AND sk = :a',
  ])('the required access contains the partition key of %s', (KeyConditionExpression) => {
    const ExpressionAttributeValues = { ':pk': { S: 'A' }, ':a': { S: 'x' }, ':b': { S: 'y' } };
    const input = { KeyConditionExpression, ExpressionAttributeValues, ExpressionAttributeNames: { '#p': 'pk' } };
    expect(leadingKeys('Query', input)).toEqual([['A']]);
  });

  test('the required access contains the partition key of legacy KeyConditions', () => {
    const KeyConditions = { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'A' }] } };
    expect(leadingKeys('Query', { KeyConditions })).toEqual([['A']]);
  });

  test('the required access of a transaction is that of all its elements', () => {
    const TransactItems = [
      { Put: { TableName: 'main', Item: { pk: { S: 'A' } } } },
      { Update: { TableName: 'main', Key: { pk: { S: 'B' } } } },
      { Delete: { TableName: 'main', Key: { pk: { S: 'C' } } } },
      { ConditionCheck: { TableName: 'other', Key: { pk: { S: 'D' } } } },
    ];
    expect(read('TransactWriteItems', { TransactItems })).toMatchObject([
      { action: 'dynamodb:PutItem', context: { 'dynamodb:LeadingKeys': ['A'] } },
      { action: 'dynamodb:UpdateItem', context: { 'dynamodb:LeadingKeys': ['B'] } },
      { action: 'dynamodb:DeleteItem', context: { 'dynamodb:LeadingKeys': ['C'] } },
      { action: 'dynamodb:ConditionCheckItem', resource: expect.stringContaining('table/other') },
    ]);
  });

  test.each([
    [`SELECT * FROM "main" WHERE pk = 'A'`, 'dynamodb:PartiQLSelect', tableArn],
    [`SELECT * FROM "main"."gsi1" WHERE g = 'A'`, 'dynamodb:PartiQLSelect', `${tableArn}/index/gsi1`],
    [`INSERT INTO main VALUE {'pk': 'A'}`, 'dynamodb:PartiQLInsert', tableArn],
    [`UPDATE main SET v = 1 WHERE pk = 'A'`, 'dynamodb:PartiQLUpdate', tableArn],
    [`DELETE FROM main WHERE pk = 'A'`, 'dynamodb:PartiQLDelete', tableArn],
  ])('the required access names the action and the table of %s', (Statement, action, resource) => {
    expect(read('ExecuteStatement', { Statement })).toMatchObject([{ action, resource }]);
  });
});
