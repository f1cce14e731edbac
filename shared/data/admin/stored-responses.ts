import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Clock, unixSeconds } from '../../platform/clock.ts';
import { isConditionFailure } from '../table/failures.ts';
import { getItem } from '../table/get-item.ts';
import { type ItemKey, idempotencyPartitions } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { retryConflicts } from '../table/retry.ts';
import type { Table } from '../table/table.ts';

const Receipt = v.object({
  pk: v.string(),
  sk: v.string(),
  leaseUntilUnix: v.number(),
  answer: v.optional(v.string()),
});

interface StoredResponse {
  readonly key: ItemKey;
  /** The JSON text that a repeated request gets. */
  readonly response: string;
}

const pollMs = 500;

/**
 * Every response that is stored for an Idempotency-Key of the organisation, also those that have expired. A request that is
 * being executed stores its response later, possibly with data that it has read already. Such requests come last, when they
 * have finished or their lease has ended.
 */
export async function* everyStoredResponse(table: Table, orgId: string, clock: Clock): AsyncGenerator<StoredResponse> {
  const unfinished: ItemKey[] = [];
  for (const partition of idempotencyPartitions(orgId)) {
    const pages = queryPages(table, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': partition },
      ConsistentRead: true,
    });
    for await (const items of pages) {
      for (const item of items) {
        const { pk, sk, answer } = v.parse(Receipt, item);
        if (answer === undefined) unfinished.push({ pk, sk });
        else yield { key: { pk, sk }, response: answer };
      }
    }
  }
  for (const key of unfinished) {
    const response = await finishedResponse(table, key, clock);
    if (response !== undefined) yield { key, response };
  }
}

/** Waits for the end of one lease only: a request that takes a later one reads what is stored now. */
async function finishedResponse(table: Table, key: ItemKey, clock: Clock): Promise<string | undefined> {
  for (let untilUnix = Number.POSITIVE_INFINITY; ; await sleep(pollMs)) {
    const item = await getItem(table, key, { consistent: true });
    if (item === undefined) return undefined;
    const { answer, leaseUntilUnix } = v.parse(Receipt, item);
    untilUnix = Math.min(untilUnix, leaseUntilUnix);
    if (answer !== undefined || untilUnix <= unixSeconds(clock)) return answer;
  }
}

/** Replaces a stored response. Returns false if it is not the same any more: its key expired and was used again. */
export async function replaceStoredResponse(
  table: Table,
  key: ItemKey,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  try {
    await retryConflicts(() =>
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: key,
          UpdateExpression: 'SET answer = :to',
          ConditionExpression: 'answer = :from',
          ExpressionAttributeValues: { ':from': from, ':to': to },
        }),
      ),
    );
    return true;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return false;
  }
}
