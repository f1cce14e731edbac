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
export type SideEffects<Change> = (change: Change) => readonly TransactItem[];

export const noSideEffects = (): readonly TransactItem[] => [];

/** An item whose condition did not hold, by its place in the transaction, as it stood if the item asked for that. */
export interface Refusal {
  readonly index: number;
  readonly current: Record<string, unknown> | undefined;
}

/** With the pauses between them about two seconds: a part of what every function has, so that a 503 can still be said. */
const maxAttempts = 12;

/**
 * Nothing is sent any more after this. The feed of events shows only what is older (its horizon), so that a transaction
 * that took long cannot slip an event in behind somebody who has read past it.
 */
const longestMs = 4_000;
const shortestPauseMs = 25;
const longestPauseMs = 400;

/** The items of one attempt. Whoever composes them anew may go out of the way of those that were met before. */
export type Compose = (attempt: number) => readonly TransactItem[];

/**
 * Writes all of the items or none. A transaction that meets another one on an item, or a busy table, is refused by DynamoDB
 * as a whole, so it is sent again after a random pause, for as long as a caller can wait; then the error goes on to become
 * a 503. The answer names the items whose condition did not hold: it is empty when everything was written. What goes
 * along with the change comes last, and is not the caller's to judge.
 */
export async function transact(
  table: Table,
  items: readonly TransactItem[] | Compose,
  sideEffects: readonly TransactItem[] = [],
): Promise<readonly Refusal[]> {
  const compose = composer(items, sideEffects);
  let { input, ownCount } = compose(1);
  const abortSignal = AbortSignal.timeout(longestMs);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await table.client.send(new TransactWriteCommand(input), { abortSignal });
      return [];
    } catch (error) {
      if (isConditionFailure(error)) return ownRefusals(refusals(error), ownCount);
      if (abortSignal.aborted) throw abortSignal.reason;
      await pauseAfter(error, attempt);
      // A cancelled transaction has certainly written nothing. Of a lost answer nobody knows: the same must be sent again.
      if (error instanceof TransactionCanceledException) ({ input, ownCount } = compose(attempt + 1));
    }
  }
}

function composer(items: readonly TransactItem[] | Compose, sideEffects: readonly TransactItem[]) {
  return (attempt: number) => {
    const own = typeof items === 'function' ? items(attempt) : items;
    // By the token DynamoDB knows a repeat: an attempt whose answer was lost is not refused by what it wrote itself.
    return {
      input: { TransactItems: [...own, ...sideEffects], ClientRequestToken: randomUUID() },
      ownCount: own.length,
    };
  };
}

/** The random pause after which an attempt is worth making again; an error that another attempt would not mend goes on. */
function pauseAfter(error: unknown, attempt: number): Promise<void> {
  if (!isTableUnavailable(error) || attempt === maxAttempts) throw error;
  return sleep(randomInt(1, Math.min(longestPauseMs, shortestPauseMs * 2 ** attempt)));
}

/** What goes along has conditions of its own, which say that the change must not be made at all. */
export class SideEffectsRefused extends Error {
  override readonly name = 'AlongRefused';
}

function ownRefusals(all: readonly Refusal[], ownCount: number): readonly Refusal[] {
  const own = all.filter(({ index }) => index < ownCount);
  if (own.length === 0) throw new SideEffectsRefused('Another request took over the claim on this Idempotency-Key.');
  return own;
}

function refusals(error: unknown): Refusal[] {
  if (!(error instanceof TransactionCanceledException)) return [];
  return (error.CancellationReasons ?? []).flatMap(({ Code, Item }, index) =>
    Code === 'ConditionalCheckFailed' ? [{ index, current: Item && unmarshall(Item) }] : [],
  );
}
