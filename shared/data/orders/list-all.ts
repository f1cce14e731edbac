import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { emailIdentity } from '../../domain/customers/customer.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { type OrderRecord, type OrderStatus, orderSortKey } from '../../domain/orders/order.ts';
import { recordedSecondText, secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import { readEvents } from '../events/read.ts';
import type { Located } from '../lists/candidates.ts';
import { readListPage } from '../lists/list-page.ts';
import { maxBatch, readRange } from '../lists/range-reader.ts';
import { locatePosition } from '../positions/locate.ts';
import { batchGet } from '../table/batch-get.ts';
import { Contended } from '../table/failures.ts';
import {
  addressOrdersPartition,
  orderFiltersPartition,
  orderKey,
  orderTicketsKey,
  userOrdersPartition,
} from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type OrderFilterRow, parseOrderFilterRow } from './filter-row.ts';
import { ownedOrders } from './owner-index.ts';
import { allOrders } from './positions.ts';
import { parseOrder } from './row.ts';
import { parseOrderTickets, type ShownTicket } from './tickets-row.ts';

export interface AllOrdersListing {
  readonly orgId: string;
  readonly userId: number | undefined;
  readonly emailAddress: string | undefined;
  readonly status: OrderStatus | undefined;
  readonly range: TimeRange;
  readonly page: number;
  readonly limit: number;
}

export interface ListedOrder {
  readonly order: OrderRecord;
  readonly tickets: readonly ShownTicket[];
  readonly event: EventRecord | undefined;
}

export interface ListedOrders {
  readonly orders: readonly ListedOrder[];
  readonly hasMore: boolean;
}

interface PositionsPage {
  readonly rows: readonly OrderFilterRow[];
  readonly hasMore: boolean;
}

const maxAttempts = 6;
const pauseMs = 40;

/**
 * Returns a page of the orders of an organisation for all events, the newest first, with their tickets and events. The
 * positions of a customer's and an address's orders are read from their index, all others from the filter rows, then the orders of
 * the page by their keys. If an order changed in between, the page is read again, consistently.
 */
export async function listAllOrders(table: Table, listing: AllOrdersListing): Promise<ListedOrders> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const isRepeat = attempt > 1;
    const { rows, hasMore } = await positionsOf(table, listing, isRepeat);
    const orders = await readListed(table, listing, { rows, consistent: isRepeat });
    if (orders.length === rows.length) return { orders, hasMore };
    // An index follows the table within a second.
    await sleep(randomInt(1, pauseMs * attempt));
  }
  throw new Contended('The orders change too often to be listed.');
}

function positionsOf(table: Table, listing: AllOrdersListing, isRepeat: boolean): Promise<PositionsPage> {
  const { orgId, userId, emailAddress } = listing;
  const [first, second] = [
    ...(userId === undefined ? [] : [userOrdersPartition(orgId, userId)]),
    ...(emailAddress === undefined ? [] : [addressOrdersPartition(orgId, emailAddress)]),
  ];
  return first === undefined
    ? positionsInTime(table, listing, isRepeat)
    : positionsOfOwner(table, listing, { partition: first, also: second });
}

/**
 * The orders of a customer or an address. Those before the page are counted in an index that shows only their keys. The orders of
 * a customer with an address are those that both have.
 */
async function positionsOfOwner(
  table: Table,
  listing: AllOrdersListing,
  { partition, also }: { readonly partition: string; readonly also: string | undefined },
): Promise<PositionsPage> {
  const { page, limit, range } = listing;
  const others = also === undefined ? undefined : await readRange(table, ownedOrders(also, range), maxBatch);
  const shared = others && new Set(others.map(({ sortKey }) => sortKey));
  const hasStatus = hasStatusOf(listing);
  return readListPage<OrderFilterRow>(table, {
    page,
    limit,
    descending: true,
    order: ownedOrders(partition, range),
    matchesFilter: (row) => hasStatus(row) && (shared?.has(row.sortKey) ?? true),
  });
}

const hasStatusOf =
  ({ status }: AllOrdersListing) =>
  (order: Pick<OrderRecord, 'status'>): boolean =>
    status === undefined || order.status === status;

/** The sort keys of the orders that were placed in the range. */
function boundsOf({ range }: AllOrdersListing): { readonly from: string; readonly to: string } {
  const { from, to } = secondsOf(range);
  return { from: recordedSecondText(from), to: recordedSecondText(to) };
}

const isUnlimited = ({ range }: AllOrdersListing): boolean => range.after === undefined && range.before === undefined;

async function positionsInTime(table: Table, listing: AllOrdersListing, isRepeat: boolean): Promise<PositionsPage> {
  const { orgId, status, page, limit } = listing;
  const list = { orgId, resource: 'orders', list: allOrders, descending: true } as const;
  return readListPage<OrderFilterRow>(table, {
    page,
    limit,
    descending: true,
    order: {
      ...boundsOf(listing),
      partition: orderFiltersPartition(orgId),
      parse: parseOrderFilterRow,
      // The first page shows a new order at once. Rows that are only counted cost half of that.
      consistent: page === 1 || isRepeat,
    },
    matchesFilter: hasStatusOf(listing),
    ...(status === undefined && {
      locate: (offset: number): Promise<Located> =>
        locatePosition(table, { ...list, ...(!isUnlimited(listing) && boundsOf(listing)) }, offset),
    }),
  });
}

function isListed(listing: AllOrdersListing): (order: OrderRecord) => boolean {
  const { emailAddress, userId } = listing;
  const address = emailAddress === undefined ? undefined : emailIdentity(emailAddress);
  const hasStatus = hasStatusOf(listing);
  return (order) =>
    hasStatus(order) &&
    (userId === undefined || order.userId === userId) &&
    (address === undefined || (order.emailAddress !== null && emailIdentity(order.emailAddress) === address));
}

/** Reads the orders of a page with their tickets and events. Orders that do not match any more are left out. */
async function readListed(
  table: Table,
  listing: AllOrdersListing,
  { rows, consistent }: { readonly rows: readonly OrderFilterRow[]; readonly consistent: boolean },
): Promise<readonly ListedOrder[]> {
  const { orgId } = listing;
  const [orders, tickets, events] = await Promise.all([
    readOrders(table, orgId, { rows, consistent }),
    readOrderTickets(table, orgId, { rows, consistent }),
    readEvents(table, orgId, new Set(rows.map(({ eventId }) => eventId))),
  ]);
  const matches = isListed(listing);
  return rows.flatMap(({ sortKey, eventId }) => {
    const order = orders.get(sortKey);
    const shown = tickets.get(sortKey);
    const isWhole = order !== undefined && shown !== undefined && order.version === shown.version;
    return isWhole && matches(order) ? [{ order, tickets: shown.tickets, event: events.get(eventId) }] : [];
  });
}

interface WantedRows {
  readonly rows: readonly OrderFilterRow[];
  readonly consistent: boolean;
}

async function readOrders(
  table: Table,
  orgId: string,
  { rows, consistent }: WantedRows,
): Promise<ReadonlyMap<string, OrderRecord>> {
  const keys = rows.map(({ eventId, sortKey }) => orderKey(orgId, eventId, sortKey));
  const orders = (await batchGet(table, keys, { consistent })).map(parseOrder);
  return new Map(orders.map((order) => [orderSortKey(order), order]));
}

async function readOrderTickets(table: Table, orgId: string, { rows, consistent }: WantedRows) {
  const keys = rows.map(({ eventId, sortKey }) => orderTicketsKey(orgId, eventId, sortKey));
  const items = await batchGet(table, keys, { consistent });
  return new Map(items.map((item) => [String(item.sk), parseOrderTickets(item)]));
}
