import { createHash, randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { isConditionFailure } from '../table/failures.ts';
import { idempotencyKey } from '../table/keys.ts';
import { retryConflicts } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** A request that must be executed once: the organisation, the Idempotency-Key, the operation with its path, and the content. */
export interface IdempotentRequest {
  readonly orgId: string;
  readonly key: string;
  readonly operation: string;
  readonly params: unknown;
  readonly content: unknown;
}

/** The right to execute a request, until the lease ends. */
export interface Claim {
  readonly orgId: string;
  readonly hash: string;
  readonly token: string;
}

export type ClaimResult =
  | { readonly outcome: 'claimed'; readonly claim: Claim }
  | { readonly outcome: 'completed'; readonly response: string }
  | { readonly outcome: 'in_progress'; readonly leaseUntilUnix: number }
  | { readonly outcome: 'mismatch' };

const keptSeconds = 86_400;
/** Longer than the timeout of any function: after the lease, the function that claimed the request has finished or crashed. */
const leaseSeconds = 60;

const ReceiptItem = v.object({
  fingerprint: v.string(),
  leaseUntilUnix: v.number(),
  answer: v.optional(v.string()),
});

const digest = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * Claims the right to execute a request. A claim whose lease has ended without a response was left by a crash; the same
 * request may take it over. DynamoDB deletes expired items late, so they count as absent. The claim's own token is accepted,
 * because the SDK sends a call again if its response was lost.
 */
export async function claimRequest(table: Table, request: IdempotentRequest, nowUnix: number): Promise<ClaimResult> {
  const { orgId, key, operation, params, content } = request;
  const claim: Claim = { orgId, hash: digest(key, operation, params), token: randomUUID() };
  const fingerprint = digest(content);
  const claimCommand = new PutCommand({
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
  });
  try {
    await retryConflicts(() => table.client.send(claimCommand));
    return { outcome: 'claimed', claim };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException) || error.Item === undefined) throw error;
    const known = v.parse(ReceiptItem, unmarshall(error.Item));
    if (known.fingerprint !== fingerprint) return { outcome: 'mismatch' };
    if (known.answer !== undefined) return { outcome: 'completed', response: known.answer };
    return { outcome: 'in_progress', leaseUntilUnix: known.leaseUntilUnix };
  }
}

/** Stores the response of a claimed request; it is refused if the claim was taken over. */
function receiptUpdate(table: Table, { orgId, hash, token }: Claim, response: string) {
  return {
    TableName: table.name,
    Key: idempotencyKey(orgId, hash),
    UpdateExpression: 'SET answer = :answer',
    ConditionExpression: 'claimToken = :token',
    ExpressionAttributeValues: { ':answer': response, ':token': token },
  };
}

export function receiptItem(table: Table, claim: Claim, response: string): TransactItem {
  return { Update: receiptUpdate(table, claim, response) };
}

export async function storeResponse(table: Table, claim: Claim, response: string): Promise<void> {
  await ignoringLostClaim(() => table.client.send(new UpdateCommand(receiptUpdate(table, claim, response))));
}

/** Deletes the claim of a request that changed nothing, so a repeat is executed. */
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
