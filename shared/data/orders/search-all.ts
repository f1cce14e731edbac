import * as v from 'valibot';
import { deletedStatus, eventIdAt } from '../../domain/events/event.ts';
import { noEventId, type OrderRecord, type OrderStatus, orderSortKey } from '../../domain/orders/order.ts';
import type { SearchQuery } from '../../domain/search/query.ts';
import { secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import { eventList } from '../events/positions.ts';
import { compareSortKeys } from '../lists/compare-sort-keys.ts';
import { expectedRows, PageWindow } from '../lists/page-window.ts';
import { maxBatch, type RowRange, readRange } from '../lists/range-reader.ts';
import { RangesReader } from '../lists/ranges-reader.ts';
import { WordSearch } from '../lists/word-search.ts';
import { keysInOrder } from '../positions/read.ts';
import { batchGet } from '../table/batch-get.ts';
import { getItem } from '../table/get-item.ts';
import { migrationKey, orderKey, ordersPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type OrderPosition, ordersInTime, type PositionsPage, parseOrderPosition } from './positions.ts';
import { ordersWithId } from './read.ts';
import { type OrderEntry, orderWordRange, parseOrder } from './row.ts';

interface AllOrdersSearch {
  readonly orgId: string;
  readonly search: SearchQuery;
  readonly status: OrderStatus | undefined;
  readonly range: TimeRange;
  readonly page: number;
  readonly limit: number;
  /** The sort keys of the orders of each customer or address whose orders are wanted. */
  readonly owned: readonly ReadonlySet<string>[];
  /** The search and all other filters. */
  readonly matchesFilter: (order: OrderRecord) => boolean;
}

type FoundOrder = OrderEntry & OrderPosition;

/**
 * Finds a page of the orders of all events that match a search, newest first, by the search words of each event (ADR 70). Words are
 * read consistently, so they are those of the orders at this moment.
 */
export async function searchAllOrders(table: Table, wanted: AllOrdersSearch): Promise<PositionsPage> {
  const { orgId, search, page, limit, owned, matchesFilter } = wanted;
  const events = await eventIds(table, orgId);
  const words = new WordSearch<OrderRecord, FoundOrder>({
    search,
    readerOf: (key) => new RangesReader(table, wordsOfEvents(orgId, events, key)),
    rowsWithIds: (ids) => ordersBesideWords(table, orgId, ids),
    passes: passesOf(wanted),
    matchesFilter,
    idOf: ({ orderId }) => orderId,
    readRows: (found) => readOrdersAt(table, orgId, found),
  });
  const areFew = await words.readFirst();
  const near = areFew || owned.length > 0 ? undefined : await pageOfNewest(table, wanted);
  if (near !== undefined) return near;
  const { rows, entries } = await words.find();
  const found = [...rows.map(positionOf), ...entries].sort((one, other) => compareSortKeys(other.sortKey, one.sortKey));
  const end = page * limit;
  return { rows: found.slice(end - limit, end), hasMore: found.length > end };
}

/** All events, also deleted ones, and that of orders without an event. */
async function eventIds(table: Table, orgId: string): Promise<readonly number[]> {
  const ids = [noEventId];
  for (const list of [eventList(undefined), eventList(deletedStatus)]) {
    for await (const keys of keysInOrder(table, { orgId, resource: 'events', list, descending: true })) {
      ids.push(...keys.map(eventIdAt));
    }
  }
  return ids;
}

function wordsOfEvents(orgId: string, events: readonly number[], key: string): readonly RowRange<FoundOrder>[] {
  return events.map((eventId) => {
    const range = orderWordRange(orgId, eventId)(key);
    return { ...range, consistent: true, parse: (item) => ({ ...range.parse(item), eventId }) };
  });
}

function passesOf({ status, range, owned }: AllOrdersSearch): (found: FoundOrder) => boolean {
  const { from, to } = secondsOf(range);
  return (found) =>
    (status === undefined || found.status === status) &&
    found.placedUnix >= from &&
    found.placedUnix < to &&
    owned.every((sortKeys) => sortKeys.has(found.sortKey));
}

/** Orders that are found by their id, and those that have no words yet. */
async function ordersBesideWords(table: Table, orgId: string, ids: readonly string[]): Promise<readonly OrderRecord[]> {
  const [withoutWords, ...withId] = await Promise.all([
    ordersWithoutWords(table, orgId),
    ...ids.map((id) => ordersWithId(table, orgId, id)),
  ]);
  return [...withoutWords, ...withId.flat()];
}

const Migrated = v.object({ finishedUnix: v.number() });

/**
 * Earlier releases wrote no words for orders without an event. Until such orders are migrated, all of them are compared
 * (ADR 48).
 */
async function ordersWithoutWords(table: Table, orgId: string): Promise<readonly OrderRecord[]> {
  const state = await getItem(table, migrationKey('orders'), { consistent: true });
  if (v.is(Migrated, state)) return [];
  const partition = ordersPartition(orgId, noEventId);
  return readRange(table, { partition, consistent: true, parse: parseOrder }, maxBatch);
}

/** If many orders match, a page near the beginning is found among so many of the newest. An order that is read by its key costs a unit. */
const nearOrders = 100;

/** The page, if it can be expected among the newest orders. */
async function pageOfNewest(table: Table, wanted: AllOrdersSearch): Promise<PositionsPage | undefined> {
  const { orgId, page, limit, matchesFilter } = wanted;
  const window = new PageWindow<OrderPosition>((page - 1) * limit, limit);
  if (window.missingRows > nearOrders) return undefined;
  const positions = await newestPositions(table, wanted);
  let matching = 0;
  for (let read = 0; !window.isFull; ) {
    const expected = expectedRows(window.missingRows, { read, matching });
    if (read + expected > positions.length) return undefined;
    const some = positions.slice(read, read + expected);
    const found = (await readOrdersAt(table, orgId, some)).filter(matchesFilter);
    const sortKeys = new Set(found.map(orderSortKey));
    window.add(some.filter(({ sortKey }) => sortKeys.has(sortKey)));
    [read, matching] = [read + some.length, matching + found.length];
  }
  return { rows: window.rows, hasMore: window.isFull };
}

async function newestPositions(
  table: Table,
  { orgId, range, status }: AllOrdersSearch,
): Promise<readonly OrderPosition[]> {
  for await (const keys of keysInOrder(table, ordersInTime(orgId, range), { first: nearOrders })) {
    return keys.map(parseOrderPosition).filter((one) => status === undefined || one.status === status);
  }
  return [];
}

async function readOrdersAt(
  table: Table,
  orgId: string,
  positions: readonly Pick<OrderPosition, 'eventId' | 'sortKey'>[],
): Promise<readonly OrderRecord[]> {
  const keys = positions.map(({ eventId, sortKey }) => orderKey(orgId, eventId, sortKey));
  return (await batchGet(table, keys, { consistent: true })).map(parseOrder);
}

const positionOf = (order: OrderRecord): OrderPosition => ({ ...order, sortKey: orderSortKey(order) });
