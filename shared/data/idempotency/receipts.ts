import { createHash, randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { isConditionFailure } from '../table/failures.ts';
import { idempotencyKey } from '../table/keys.ts';
import { retryConflicts } from '../table/retry-conflicts.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** A request that is to be done once: who asks, which key they gave, where they sent it, and what it says. */
export interface IdempotentRequest {
  readonly orgId: string;
  readonly key: string;
  readonly operation: string;
  readonly params: unknown;
  readonly content: unknown;
}

/** The right to do a request, until the lease ends. */
export interface Claim {
  readonly orgId: string;
  readonly hash: string;
  readonly token: string;
}

export type Claimed =
  | { readonly outcome: 'mine'; readonly claim: Claim }
  | { readonly outcome: 'answered'; readonly answer: string }
  | { readonly outcome: 'in_progress'; readonly leaseUntilUnix: number }
  | { readonly outcome: 'mismatch' };

const keptSeconds = 86_400;
/** Longer than any function runs, so that whoever comes after it finds the first one finished or dead. */
const leaseSeconds = 60;

const ReceiptItem = v.object({
  fingerprint: v.string(),
  leaseUntilUnix: v.number(),
  answer: v.optional(v.string()),
});

const digest = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * Claims the right to do a request. A claim whose lease has ended without an answer was left by a crash, and may be taken
 * over by the same request; expired records may linger in the table and count as absent. One's own claim is no obstacle: the
 * SDK sends a call again whose answer was lost.
 */
export async function claimRequest(table: Table, request: IdempotentRequest, nowUnix: number): Promise<Claimed> {
  const { orgId, key, operation, params, content } = request;
  const claim: Claim = { orgId, hash: digest(key, operation, params), token: randomUUID() };
  const fingerprint = digest(content);
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: {
          ...idempotencyKey(orgId, claim.hash),
          fingerprint,
          claimToken: claim.token,
          leaseUntilUnix: nowUnix + leaseSeconds,
          ttl: nowUnix + keptSeconds,
        },
        ConditionExpression:
          'attribute_not_exists(pk) OR #ttl <= :now OR claimToken = :token OR (attribute_not_exists(answer) AND leaseUntilUnix <= :now AND fingerprint = :fingerprint)',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': nowUnix, ':fingerprint': fingerprint, ':token': claim.token },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { outcome: 'mine', claim };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException) || error.Item === undefined) throw error;
    const known = v.parse(ReceiptItem, unmarshall(error.Item));
    if (known.fingerprint !== fingerprint) return { outcome: 'mismatch' };
    if (known.answer !== undefined) return { outcome: 'answered', answer: known.answer };
    return { outcome: 'in_progress', leaseUntilUnix: known.leaseUntilUnix };
  }
}

/** Keeps the answer of a claimed request; fails when the claim was taken over. To be written with the change where it can be. */
function keepUpdate(table: Table, { orgId, hash, token }: Claim, answer: string) {
  return {
    TableName: table.name,
    Key: idempotencyKey(orgId, hash),
    UpdateExpression: 'SET answer = :answer',
    ConditionExpression: 'claimToken = :token',
    ExpressionAttributeValues: { ':answer': answer, ':token': token },
  };
}

export function receiptOf(table: Table, claim: Claim, answer: string): TransactItem {
  return { Update: keepUpdate(table, claim, answer) };
}

export async function keepAnswer(table: Table, claim: Claim, answer: string): Promise<void> {
  await ignoringLostClaim(() => table.client.send(new UpdateCommand(keepUpdate(table, claim, answer))));
}

/** The request left nothing that a repeat would have to know of. */
export async function releaseClaim(table: Table, { orgId, hash, token }: Claim): Promise<void> {
  await ignoringLostClaim(() =>
    table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: idempotencyKey(orgId, hash),
        ConditionExpression: 'claimToken = :token AND attribute_not_exists(answer)',
        ExpressionAttributeValues: { ':token': token },
      }),
    ),
  );
}

async function ignoringLostClaim(write: () => Promise<unknown>): Promise<void> {
  try {
    await retryConflicts(write);
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
