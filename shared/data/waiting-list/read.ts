import * as v from 'valibot';
import type { Basket } from '../../domain/baskets/basket.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import type { QueuedWish, WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { parseBasket } from '../baskets/row.ts';
import { readIndexPage } from '../lists/index-page.ts';
import type { PricedEvent } from '../prices/read.ts';
import { batchGet } from '../table/batch-get.ts';
import { getItem } from '../table/get-item.ts';
import { personHash } from '../table/hash-key.ts';
import {
  basketKey,
  waitingEntryKey,
  waitingListPartition,
  waitingOfferKey,
  waitingPersonPartition,
  waitingQueueKey,
} from '../table/keys.ts';
import { queryAll, queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type OpenOffer, parseEntry, parseOfferRow, parseQueueRow } from './row.ts';

export async function readEntry(
  table: Table,
  orgId: string,
  { eventId, entryId }: Pick<WaitingEntry, 'eventId' | 'entryId'>,
): Promise<WaitingEntry | undefined> {
  const item = await getItem(table, waitingEntryKey(orgId, eventId, entryId), { consistent: true });
  return item === undefined ? undefined : parseEntry(item);
}

interface EntriesListing {
  readonly orgId: string;
  readonly eventId: number;
  /** The place of the last entry of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Reads entries of an event in the order in which people joined. The index shows a change within milliseconds as a rule. */
export async function listEntries(
  table: Table,
  { orgId, eventId, after, limit }: EntriesListing,
): Promise<{ readonly entries: readonly WaitingEntry[]; readonly next: string | undefined }> {
  const { items, hasMore } = await readIndexPage(table, {
    partition: waitingListPartition(orgId, eventId),
    after,
    limit,
  });
  const entries = items.map(parseEntry);
  return { entries, next: hasMore ? entries.at(-1)?.place : undefined };
}

/** All entries of an event, for the audit. */
export async function readEntries(table: Table, orgId: string, eventId: number): Promise<readonly WaitingEntry[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': waitingEntryKey(orgId, eventId, '').pk },
    ConsistentRead: true,
  });
  return items.map(parseEntry);
}

/** Yields those who wait, in their order, page by page. */
export async function* readQueue(table: Table, orgId: string, eventId: number): AsyncGenerator<readonly QueuedWish[]> {
  const { pk } = waitingQueueKey(orgId, eventId, '');
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
    Limit: queuePageSize,
  });
  for await (const page of pages) yield page.map(parseQueueRow);
}

/** Usually the first few take what has come back. */
const queuePageSize = 500;

/** The offers that have not ended, as far as the list knows. */
export async function readOpenOffers(table: Table, orgId: string, eventId: number): Promise<readonly OpenOffer[]> {
  const { pk } = waitingOfferKey(orgId, eventId, 0);
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
  return items.map(parseOfferRow);
}

/** The baskets of offers, by id. */
export async function readOfferedBaskets(
  table: Table,
  orgId: string,
  offers: readonly { readonly basketId: number | null }[],
): Promise<ReadonlyMap<number, Basket>> {
  const keys = offers.flatMap(({ basketId }) => (basketId === null ? [] : [basketKey(orgId, basketId)]));
  const baskets = (await batchGet(table, keys, { consistent: true })).map(parseBasket);
  return new Map(baskets.map((basket) => [basket.basketId, basket]));
}

const IndexKeys = v.object({ pk: v.string(), sk: v.string() });

/** The entries of a person at all events. */
export async function entriesOfPerson(
  table: Table,
  orgId: string,
  emailAddress: string,
): Promise<readonly WaitingEntry[]> {
  const partition = waitingPersonPartition(orgId, emailAddress, await personHash(table));
  const keys = await queryAll(table, {
    IndexName: 'by6',
    KeyConditionExpression: 'by6pk = :pk',
    ExpressionAttributeValues: { ':pk': partition },
  });
  const items = await batchGet(
    table,
    keys.map((item) => v.parse(IndexKeys, item)),
    { consistent: true },
  );
  return items.map(parseEntry);
}

/** A price of an event that was read, with what decides whether it is on sale; undefined if the event has no such price. */
export function offerIn(
  { event, prices, categories, pools, revealedBy, phases }: PricedEvent,
  index: number,
): Offer | undefined {
  const price = prices.find((one) => one.index === index);
  const category = price && categories.get(price.categoryId);
  if (price === undefined || category === undefined) return undefined;
  const pool = price.poolIndex === null ? null : pools.get(price.poolIndex);
  if (pool === undefined) return undefined;
  return { event, category, price, pool, revealedBy: revealedBy.get(index) ?? [], phases: phases?.phases ?? [] };
}
