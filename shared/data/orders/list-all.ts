import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { emailIdentity } from '../../domain/customers/customer.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { type OrderRecord, type OrderStatus, orderSortKey } from '../../domain/orders/order.ts';
import { recordedSecondText, secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import { readEvents } from '../events/read.ts';
import type { Located } from '../lists/candidates.ts';
import { readListPage } from '../lists/list-page.ts';
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
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type OrderFilterRow, parseOrderFilterRow } from './filter-row.ts';
import { allOrders } from './positions.ts';
import { confirmedSortKeys, otherSortKeys, parseOrder } from './row.ts';
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
  readonly rows: readonly OrderPosition[];
  readonly hasMore: boolean;
}

/** Where an order is. Indexes contain the order itself; the filter rows of an organisation only its status. */
type OrderPosition = OrderFilterRow & { readonly order?: OrderRecord };

const maxAttempts = 6;
const pauseMs = 40;

/**
 * Returns a page of the orders of an organisation for all events, the newest first, with their tickets and events. A customer's
 * and an address's orders are read from their index, all others from the filter rows, about 70 bytes each, which are read
 * before the orders of the page. If an order changed in between, the page is read again, consistently.
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
  if (listing.userId !== undefined) return positionsOfUser(table, listing, listing.userId);
  if (listing.emailAddress !== undefined) return positionsOfAddress(table, listing, listing.emailAddress);
  return positionsInTime(table, listing, isRepeat);
}

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
    matchesFilter: (row) => status === undefined || row.status === status,
    ...(status === undefined && {
      locate: (offset: number): Promise<Located> =>
        locatePosition(table, { ...list, ...(!isUnlimited(listing) && boundsOf(listing)) }, offset),
    }),
  });
}

function isListed({ emailAddress, status }: AllOrdersListing): (order: OrderRecord) => boolean {
  const address = emailAddress === undefined ? undefined : emailIdentity(emailAddress);
  return (order) =>
    (status === undefined || order.status === status) &&
    (address === undefined || (order.emailAddress !== null && emailIdentity(order.emailAddress) === address));
}

async function positionsOfAddress(
  table: Table,
  listing: AllOrdersListing,
  emailAddress: string,
): Promise<PositionsPage> {
  const partition = addressOrdersPartition(listing.orgId, emailAddress);
  return pageOf(listing, [await newestIn(table, listing, { index: 'by3', partition, prefix: '' })]);
}

/** The index of a customer has the confirmed orders apart from the others. Both are read as far as the page may reach. */
async function positionsOfUser(table: Table, listing: AllOrdersListing, userId: number): Promise<PositionsPage> {
  const { orgId, status } = listing;
  const partition = userOrdersPartition(orgId, userId);
  const prefixes = [
    ...(status === undefined || status === 'confirmed' ? [confirmedSortKeys] : []),
    ...(status !== 'confirmed' ? [otherSortKeys] : []),
  ];
  const parts = prefixes.map((prefix) => newestIn(table, listing, { index: 'by1', partition, prefix }));
  return pageOf(listing, await Promise.all(parts));
}

interface OrderIndex {
  readonly index: 'by1' | 'by3';
  readonly partition: string;
  readonly prefix: string;
}

/** Returns the newest matching orders of an index, up to one more than the last order of the page. */
async function newestIn(
  table: Table,
  listing: AllOrdersListing,
  { index, partition, prefix }: OrderIndex,
): Promise<OrderRecord[]> {
  const { from, to } = boundsOf(listing);
  if (from >= to) return [];
  const wanted = listing.page * listing.limit + 1;
  const matches = isListed(listing);
  const found: OrderRecord[] = [];
  const pages = queryPages(table, {
    IndexName: index,
    KeyConditionExpression: `${index}pk = :pk AND ${index}sk BETWEEN :from AND :to`,
    ExpressionAttributeValues: { ':pk': partition, ':from': `${prefix}${from}`, ':to': `${prefix}${to}` },
    ScanIndexForward: false,
    Limit: Math.min(wanted, maxBatch),
  });
  for await (const items of pages) {
    found.push(...items.map(parseOrder).filter(matches));
    if (found.length >= wanted) break;
  }
  return found;
}

/** More rows than one Query can return. */
const maxBatch = 10_000;

function pageOf({ page, limit }: AllOrdersListing, parts: readonly (readonly OrderRecord[])[]): PositionsPage {
  const offset = (page - 1) * limit;
  const all = parts
    .flat()
    .map((order) => ({ order, sortKey: orderSortKey(order), eventId: order.eventId, status: order.status }))
    .sort((one, other) => (one.sortKey < other.sortKey ? 1 : -1));
  return { rows: all.slice(offset, offset + limit), hasMore: all.length > offset + limit };
}

/** Reads the orders of a page with their tickets and events. Orders that do not match any more are left out. */
async function readListed(
  table: Table,
  listing: AllOrdersListing,
  { rows, consistent }: { readonly rows: readonly OrderPosition[]; readonly consistent: boolean },
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
  readonly rows: readonly OrderPosition[];
  readonly consistent: boolean;
}

async function readOrders(
  table: Table,
  orgId: string,
  { rows, consistent }: WantedRows,
): Promise<ReadonlyMap<string, OrderRecord>> {
  const known = consistent ? [] : rows.flatMap(({ order }) => order ?? []);
  const keys = rows
    .filter(({ order }) => consistent || order === undefined)
    .map(({ eventId, sortKey }) => orderKey(orgId, eventId, sortKey));
  const read = (await batchGet(table, keys, { consistent })).map(parseOrder);
  return new Map([...known, ...read].map((order) => [orderSortKey(order), order]));
}

async function readOrderTickets(table: Table, orgId: string, { rows, consistent }: WantedRows) {
  const keys = rows.map(({ eventId, sortKey }) => orderTicketsKey(orgId, eventId, sortKey));
  const items = await batchGet(table, keys, { consistent });
  return new Map(items.map((item) => [String(item.sk), parseOrderTickets(item)]));
}
