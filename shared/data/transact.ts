import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isConditionFailure, isTableUnavailable } from './failures.ts';
import type { Table } from './table.ts';

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * What must be written together with a change or not at all: the event that announces it, the record of its idempotency
 * key. It is asked for anew at every attempt, because what the change becomes may differ from attempt to attempt.
 */
export type Along<Change> = (change: Change) => readonly TransactItem[];

export const nothingAlong = (): readonly TransactItem[] => [];

/** An item whose condition did not hold, by its place in the transaction, as it stood if the item asked for that. */
export interface Refusal {
  readonly index: number;
  readonly current: Record<string, unknown> | undefined;
}

/** With the pauses between them about two seconds: a part of what every function has, so that a 503 can still be said. */
const mostAttempts = 12;
const shortestPauseMs = 25;
const longestPauseMs = 400;

/**
 * Writes all of the items or none. A transaction that meets another one on an item, or a busy table, is refused by DynamoDB
 * as a whole, so it is sent again after a random pause, for as long as a caller can wait; then the error goes on to become
 * a 503. The answer names the items whose condition did not hold: it is empty when everything was written.
 */
export async function transact(table: Table, TransactItems: readonly TransactItem[]): Promise<readonly Refusal[]> {
  // By this DynamoDB knows a repeat: an attempt whose answer was lost is not refused by what it wrote itself.
  const input = { TransactItems: [...TransactItems], ClientRequestToken: randomUUID() };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await table.client.send(new TransactWriteCommand(input));
      return [];
    } catch (error) {
      if (isConditionFailure(error)) return refusals(error);
      if (!isTableUnavailable(error) || attempt === mostAttempts) throw error;
      await sleep(randomInt(1, Math.min(longestPauseMs, shortestPauseMs * 2 ** attempt)));
    }
  }
}

function refusals(error: unknown): Refusal[] {
  if (!(error instanceof TransactionCanceledException)) return [];
  return (error.CancellationReasons ?? []).flatMap(({ Code, Item }, index) =>
    Code === 'ConditionalCheckFailed' ? [{ index, current: Item && unmarshall(Item) }] : [],
  );
}
