import { parseId } from '../../domain/ids.ts';
import { type OrderRecord, type OrderStatus, orderSortKey } from '../../domain/orders/order.ts';
import { orderMatches } from '../../domain/orders/search.ts';
import { indexedWords, parseSearch, type SearchQuery } from '../../domain/search/query.ts';
import { recordedSecondText, secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import { orderListCounters } from '../counters/sales.ts';
import type { CandidateRange } from '../lists/collector.ts';
import { readListPage } from '../lists/list-page.ts';
import { locateInTime } from '../lists/locate-time.ts';
import { memoize } from '../lists/memoize.ts';
import type { RowRange } from '../lists/range-reader.ts';
import { orderKey, ordersPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { readOrder, readOrderByUuid } from './read.ts';
import { parseOrder, wordPartition } from './row.ts';

export interface OrderListing {
  readonly orgId: string;
  readonly eventId: number;
  /** Undefined lists orders of every status. */
  readonly status: OrderStatus | undefined;
  readonly search: string | undefined;
  readonly range: TimeRange;
  readonly page: number;
  readonly limit: number;
}

export interface OrderPage {
  readonly orders: readonly OrderRecord[];
  readonly hasMore: boolean;
}

/** Returns a page of the orders of an event, the oldest first. */
export async function listOrders(table: Table, listing: OrderListing): Promise<OrderPage> {
  const { orgId, eventId, status, range, page, limit } = listing;
  const search = parseSearch(listing.search ?? '');
  const { from, to } = secondsOf(range);
  const list = {
    page,
    limit,
    descending: false,
    order: timeRange(listing),
    sortKeyOf: orderSortKey,
    // An order that is found by its id may belong to another event.
    matchesFilter: (order: OrderRecord) =>
      order.eventId === eventId &&
      (status === undefined || order.status === status) &&
      order.placedUnix >= from &&
      order.placedUnix < to &&
      (search === undefined || orderMatches(order, search)),
    candidateRanges: candidateRanges(table, listing, search),
    ...(search === undefined && {
      locate: (offset: number) => locateInTime(table, orderListCounters({ orgId, eventId }, status), range, offset),
    }),
    idOf: ({ orderId }: OrderRecord) => orderId,
    versionOf: ({ version }: OrderRecord) => version,
  };
  const { rows, hasMore } = await readListPage(table, list);
  return { orders: rows, hasMore };
}

/**
 * The orders of a time range, all or those of one status. Without a status they are read from the table, which shows new
 * orders at once; the index by status follows within a second.
 */
function timeRange({ orgId, eventId, status, range }: OrderListing): RowRange<OrderRecord> {
  const { from, to } = secondsOf(range);
  const bounds = { from: recordedSecondText(from), to: recordedSecondText(to), parse: parseOrder };
  return status === undefined
    ? { ...bounds, partition: ordersPartition(orgId, eventId), consistent: true }
    : {
        ...bounds,
        partition: ordersPartition(orgId, eventId, status),
        index: { name: 'by2', keyAt: (sortKey) => orderKey(orgId, eventId, sortKey) },
      };
}

const uuidLength = 36;

/** For each word: the orders that have a word starting with it, and the order whose id or UUID it is. */
function candidateRanges(
  table: Table,
  { orgId, eventId }: OrderListing,
  search: SearchQuery | undefined,
): readonly CandidateRange<OrderRecord>[] {
  const findById = memoize(async (word) => {
    const orderId = parseId(word);
    if (orderId !== undefined) return present(await readOrder(table, orgId, orderId));
    return word.length === uuidLength ? present(await readOrderByUuid(table, orgId, word)) : [];
  });
  return indexedWords(search).map(({ id, key }) => ({
    range: { partition: wordPartition(orgId, eventId, key), prefix: key, consistent: true, parse: parseOrder },
    additionalRows: () => findById(id),
  }));
}

function present<Row>(row: Row | undefined): readonly Row[] {
  return row === undefined ? [] : [row];
}
