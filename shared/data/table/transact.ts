import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isConditionFailure, isTableUnavailable } from './failures.ts';
import { retry } from './retry.ts';
import type { Table } from './table.ts';

type WriteItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A write of a transaction. Its label says which one it is if its condition fails. */
export interface TransactItem extends WriteItem {
  readonly label?: string;
}

export function labelled(label: string, items: readonly TransactItem[]): TransactItem[] {
  return items.map((item) => ({ ...item, label }));
}

/**
 * Returns the items that must be written in the same transaction as a change: the event that announces it and the
 * idempotency receipt. It is called again at every attempt, because the resulting change may differ between attempts.
 */
export type SideEffects<Change> = (change: Change) => readonly TransactItem[];

export const noSideEffects = (): readonly TransactItem[] => [];

/** What a data function writes in the same transaction as its own items, on behalf of its caller. */
export interface TransactionExtras<Change> {
  /** Items that the caller changes, such as the basket that becomes an order. */
  readonly callerItems?: SideEffects<Change>;
  /** The event that announces the change and the idempotency receipt. If they are refused, `SideEffectsRefused` is thrown. */
  readonly sideEffects?: SideEffects<Change>;
}

/** An item of the transaction whose condition failed. `current` is the stored item, if the write asked for its old values. */
export interface Refusal {
  readonly label: string | undefined;
  readonly current: Record<string, unknown> | undefined;
}

/** DynamoDB's limit for the items of a transaction. */
export const maxTransactionItems = 100;

/** Returns the items of one attempt. A retry can compose other items, such as another shard, to avoid the same conflict. */
type Compose = (attempt: number) => readonly TransactItem[];

/**
 * Writes all items or none. DynamoDB cancels the whole transaction if it conflicts with another one or if the table is busy.
 * Such a transaction is sent again after a random pause; when the attempts are used up, the error is thrown and becomes a
 * 503. Returns the items whose condition failed, an empty list if everything was written. The side effects come last in the
 * transaction; if only their conditions fail, `SideEffectsRefused` is thrown.
 */
export async function transact(
  table: Table,
  items: readonly TransactItem[] | Compose,
  sideEffects: readonly TransactItem[] = [],
): Promise<readonly Refusal[]> {
  const compose = (attempt: number) => [...(typeof items === 'function' ? items(attempt) : items), ...sideEffects];
  let sent = compose(1);
  let input = transactionOf(sent);
  try {
    await sendAgainIfBusy(table, async (abortSignal, attempt) => {
      try {
        await table.client.send(new TransactWriteCommand(input), { abortSignal });
      } catch (error) {
        // A cancelled transaction has written nothing, so other items are safe. After a lost response the outcome is unknown:
        // the identical request is sent again.
        const isBusy = error instanceof TransactionCanceledException && !isConditionFailure(error);
        if (isBusy) {
          sent = compose(attempt + 1);
          input = transactionOf(sent);
        }
        throw error;
      }
    });
    return [];
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const own = refusals(error, sent).filter(({ item }) => !sideEffects.includes(item));
    if (own.length === 0) throw new SideEffectsRefused('Another request took over the claim on this Idempotency-Key.');
    return own.map(({ item: { label }, current }) => ({ label, current }));
  }
}

/**
 * Writes one item on its condition, for half the units of a transaction. Returns whether it was written. The item contains the
 * id of the write: a call whose response was lost is sent again, and must not fail on its own write.
 */
export async function putAlone(table: Table, put: NonNullable<TransactItem['Put']>): Promise<boolean> {
  const writeId = randomUUID();
  const command = new PutCommand({
    ...put,
    Item: { ...put.Item, writeId },
    ConditionExpression: `(${put.ConditionExpression}) OR writeId = :writeId`,
    ExpressionAttributeValues: { ...put.ExpressionAttributeValues, ':writeId': writeId },
  });
  try {
    await sendAgainIfBusy(table, (abortSignal) => table.client.send(command, { abortSignal }));
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}

async function sendAgainIfBusy(
  { transactionMs }: Table,
  send: (abortSignal: AbortSignal, attempt: number) => Promise<unknown>,
): Promise<void> {
  const abortSignal = AbortSignal.timeout(transactionMs);
  const isBusy = (error: unknown): boolean =>
    !abortSignal.aborted && !isConditionFailure(error) && isTableUnavailable(error);
  try {
    await retry(isBusy, (attempt) => send(abortSignal, attempt));
  } catch (error) {
    throw abortSignal.aborted && !isConditionFailure(error) ? abortSignal.reason : error;
  }
}

function transactionOf(items: readonly TransactItem[]): TransactWriteCommandInput {
  return {
    TransactItems: items.map(({ label: _, ...item }) => item),
    // DynamoDB recognises a repeated request by the token, so a retry after a lost response does not fail on its own writes.
    ClientRequestToken: randomUUID(),
  };
}

/** Only the condition of a side effect failed, such as that of the idempotency receipt: the change must not be made. */
export class SideEffectsRefused extends Error {
  override readonly name = 'SideEffectsRefused';
}

/** DynamoDB returns a reason for each item, in their order. */
function refusals(error: unknown, sent: readonly TransactItem[]) {
  const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
  return sent.flatMap((item, index) => {
    const { Code, Item } = reasons[index] ?? {};
    return Code === 'ConditionalCheckFailed' ? [{ item, current: Item && unmarshall(Item) }] : [];
  });
}
