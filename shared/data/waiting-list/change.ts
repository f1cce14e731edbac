import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Basket } from '../../domain/baskets/basket.ts';
import { type StockMove, stockRef } from '../../domain/baskets/stock-moves.ts';
import type { SliceChange } from '../../domain/prices/slices.ts';
import type { EntryStatus, WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { basketHint, basketPut, hintPut } from '../baskets/baskets.ts';
import { longHoldPuts } from '../baskets/buyers.ts';
import { sliceChange } from '../prices/slices.ts';
import { personHash } from '../table/hash-key.ts';
import { waitingOfferKey, waitingQueueKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { entryItem } from './row.ts';

export interface EntryChange {
  readonly orgId: string;
  readonly before: WaitingEntry;
  readonly nowUnix: number;
}

async function entryPut(table: Table, { orgId, before, nowUnix }: EntryChange, after: WaitingEntry) {
  const Item = entryItem(orgId, after, { hash: await personHash(table), nowUnix });
  return { Put: { TableName: table.name, Item, ...unchangedSince(before) } };
}

/** Where an entry is besides its own row: in the queue, or among the offers. */
function otherRow({ orgId, before }: Pick<EntryChange, 'orgId' | 'before'>) {
  const { eventId, place, status, basketId } = before;
  if (status === 'waiting') return waitingQueueKey(orgId, eventId, place);
  return status === 'offered' && basketId !== null ? waitingOfferKey(orgId, eventId, basketId) : undefined;
}

/** Removes the place or the offer of an entry, for the transaction that ends it. */
export function otherRowDeletes(table: Table, change: Pick<EntryChange, 'orgId' | 'before'>): TransactItem[] {
  const Key = otherRow(change);
  return Key === undefined ? [] : [{ Delete: { TableName: table.name, Key } }];
}

/** Ends an entry. Undefined if it has changed since it was read. */
export async function endEntry(
  table: Table,
  change: EntryChange,
  { status, touched = [] }: { readonly status: EntryStatus; readonly touched?: readonly TransactItem[] },
  sideEffects: SideEffects<WaitingEntry> = noSideEffects,
): Promise<WaitingEntry | undefined> {
  const after = { ...change.before, status, version: change.before.version + 1 };
  const items = [await entryPut(table, change, after), ...otherRowDeletes(table, change), ...touched];
  const refused = await transact(table, items, sideEffects(after));
  return refused.length === 0 ? after : undefined;
}

export interface OfferedTickets {
  readonly basket: Basket;
  readonly takes: readonly StockMove[];
  /** Which slices of each stock they are taken from. */
  readonly changes: ReadonlyMap<number, readonly SliceChange[]>;
}

/**
 * Offers tickets to somebody: one transaction writes the basket that holds them, its hint and its pointer, the stock, the entry, and the
 * offer in place of the place in the queue. Undefined if the entry or a stock has changed since it was read.
 */
export async function offerTickets(
  table: Table,
  change: EntryChange,
  { basket, takes, changes }: OfferedTickets,
  sideEffects: SideEffects<WaitingEntry>,
): Promise<WaitingEntry | undefined> {
  const { orgId, before } = change;
  const { basketId, expiresUnix } = basket;
  const offeredQuantity = basket.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const after: WaitingEntry = {
    ...before,
    status: 'offered',
    basketId,
    offerUntilUnix: expiresUnix,
    offeredQuantity,
    version: before.version + 1,
  };
  const pointers = await longHoldPuts(table, orgId);
  const offerRow = { ...waitingOfferKey(orgId, before.eventId, basketId), basketId, entryId: before.entryId };
  const items = [
    basketPut(table, orgId, undefined, basket),
    hintPut(table, basketHint(orgId, basket, expiresUnix)),
    ...pointers(basket),
    ...takes.flatMap((take) => {
      const stock = { ...take, ...stockRef(take.stock) };
      return (changes.get(stock.index) ?? []).map((slice) => sliceChange(table, orgId, stock, slice));
    }),
    await entryPut(table, change, after),
    ...otherRowDeletes(table, change),
    { Put: { TableName: table.name, Item: offerRow } },
  ];
  const refused = await transact(table, items, sideEffects(after));
  return refused.length === 0 ? after : undefined;
}

/** Removes a place whose entry does not wait there any more. The entry is what counts. */
export async function removePlace(table: Table, orgId: string, eventId: number, place: string): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: waitingQueueKey(orgId, eventId, place) }));
}
