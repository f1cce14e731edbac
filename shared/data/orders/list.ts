import { type OrderRecord, type OrderStatus, orderSortKey } from '../../domain/orders/order.ts';
import { orderMatches } from '../../domain/orders/search.ts';
import { parseSearch, type SearchQuery } from '../../domain/search/query.ts';
import { recordedSecondText, secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import { orderListCounters } from '../counters/sales.ts';
import { readListPage } from '../lists/list-page.ts';
import { locateInTime } from '../lists/locate-time.ts';
import { RangeReader, type RowRange } from '../lists/range-reader.ts';
import { foundByWords } from '../lists/word-search.ts';
import { batchGet } from '../table/batch-get.ts';
import { orderKey, ordersPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { ordersWithId } from './read.ts';
import { type OrderEntry, orderWordRange, parseOrder } from './row.ts';

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
  // An order that is found by its id may belong to another event.
  const matchesFilter = (order: OrderRecord): boolean =>
    order.eventId === eventId && hasStatusAndTime(order) && (search === undefined || orderMatches(order, search));
  const hasStatusAndTime = (order: Pick<OrderRecord, 'status' | 'placedUnix'>): boolean =>
    (status === undefined || order.status === status) && order.placedUnix >= from && order.placedUnix < to;
  const list = {
    page,
    limit,
    descending: false,
    order: timeRange(listing),
    matchesFilter,
    ...(search === undefined
      ? {
          locate: (offset: number) => locateInTime(table, orderListCounters({ orgId, eventId }, status), range, offset),
        }
      : { found: foundOrders(table, listing, search, { matchesFilter, hasStatusAndTime }) }),
  };
  const { rows, hasMore } = await readListPage(table, list);
  return { orders: rows, hasMore };
}

/**
 * The orders of a time range, all or those of one status. Without a status they are read from the table, which shows new
 * orders at once; the index by status follows within a second, and so do the further pages of a search.
 */
function timeRange({ orgId, eventId, status, search, range, page }: OrderListing): RowRange<OrderRecord> {
  const { from, to } = secondsOf(range);
  const bounds = { from: recordedSecondText(from), to: recordedSecondText(to), parse: parseOrder };
  return status === undefined
    ? { ...bounds, partition: ordersPartition(orgId, eventId), consistent: search === undefined || page === 1 }
    : {
        ...bounds,
        partition: ordersPartition(orgId, eventId, status),
        index: { name: 'by2', keyAt: (sortKey) => orderKey(orgId, eventId, sortKey) },
      };
}

interface Filters {
  readonly matchesFilter: (order: OrderRecord) => boolean;
  readonly hasStatusAndTime: (order: Pick<OrderRecord, 'status' | 'placedUnix'>) => boolean;
}

/** The orders that have the words of a search, or whose id or UUID is one. */
function foundOrders(
  table: Table,
  { orgId, eventId, page }: OrderListing,
  search: SearchQuery,
  { matchesFilter, hasStatusAndTime }: Filters,
) {
  // The first page shows new orders at once. The following ones read at half the price.
  const consistent = page === 1;
  const rangeOf = orderWordRange(orgId, eventId);
  return foundByWords<OrderRecord, OrderEntry>({
    search,
    descending: false,
    readerOf: (key) => new RangeReader(table, { ...rangeOf(key), consistent }),
    rowsWithIds: async (ids) => (await Promise.all(ids.map((id) => ordersWithId(table, orgId, id)))).flat(),
    passes: hasStatusAndTime,
    matchesFilter,
    idOf: ({ orderId }) => orderId,
    sortKeyOf: orderSortKey,
    readRows: (positions, isRepeat) => readOrdersAt(table, { orgId, eventId }, positions, isRepeat),
  });
}

async function readOrdersAt(
  table: Table,
  { orgId, eventId }: Pick<OrderListing, 'orgId' | 'eventId'>,
  positions: readonly { readonly sortKey: string }[],
  consistent: boolean,
): Promise<readonly OrderRecord[]> {
  const keys = positions.map(({ sortKey }) => orderKey(orgId, eventId, sortKey));
  return (await batchGet(table, keys, { consistent })).map(parseOrder);
}
