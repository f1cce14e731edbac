import { describe, expect, test } from 'vitest';
import type { Caller } from '../../local/cloud/iam/callers.ts';
import { readPolicyDocument } from '../../local/cloud/iam/statement.ts';
import { grantAdvice } from '../../local/run/grant-advice.ts';

const tableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/main';
const statements = readPolicyDocument(
  {
    Version: '2012-10-17',
    Statement: {
      Effect: 'Allow',
      Action: ['dynamodb:BatchGetItem', 'dynamodb:GetItem'],
      Resource: tableArn,
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORD#*'] } },
    },
  },
  'a test',
);
const caller = (entryId: string): Caller => ({
  kind: 'function',
  functionName: 'Gateline-dev-function',
  description: `${entryId}: what it does`,
  roleName: 'role',
  statements,
});
const adviceOn = (entryId: string, action: string, leadingKeys: string[]) =>
  grantAdvice(caller(entryId), { action, resource: tableArn, context: { 'dynamodb:LeadingKeys': leadingKeys } });

describe('advice on a missing grant', () => {
  test('the grant advice says what to add to `access` of an operation, and in which file', () => {
    expect(adviceOn('retrieve-basket', 'dynamodb:BatchGetItem', ['ORD#org#1', 'BAR#org#2', 'BAR#org#3'])).toBe(
      "Add `BAR: ['BatchGetItem']` to `access` of retrieve-basket (shared/operations/baskets/retrieve-basket.ts): list the grants of the function it calls.",
    );
  });

  test('the grant advice says where the entry of a worker is', () => {
    expect(adviceOn('sweep-outbox', 'dynamodb:PutItem', ['DUE#1'])).toMatch(
      /^Add `DUE: \['PutItem'\]` to `access` of sweep-outbox \(shared\/workers\/registry.ts\)/,
    );
  });

  test('the grant advice names every refused kind of key', () => {
    expect(adviceOn('probe', 'dynamodb:BatchGetItem', ['UNI#1', 'BAR#1'])).toMatch(
      /^Add `BAR: \['BatchGetItem'\], UNI: \['BatchGetItem'\]` to `access` of probe:/,
    );
  });

  test.each([
    ['an allowed call', 'dynamodb:GetItem', ['ORD#1']],
    ['an action that is never granted', 'dynamodb:Scan', ['ORD#1', 'BAR#1']],
    ['a key of no kind', 'dynamodb:GetItem', ['OTHER#1']],
  ])('the grant advice is not given on %s', (_, action, leadingKeys) => {
    expect(adviceOn('retrieve-basket', action, leadingKeys)).toBeUndefined();
  });
});
