import { emailIdentity } from '../../domain/customers/customer.ts';
import { type OrderRecord, type OrderStatus, orderSortKey } from '../../domain/orders/order.ts';
import { orderMatches } from '../../domain/orders/search.ts';
import { normalizeBarcode } from '../../domain/scans/scan.ts';
import { parseSearch } from '../../domain/search/query.ts';
import { secondsOf, type TimeRange } from '../../domain/time/time-buckets.ts';
import { readEvents } from '../events/read.ts';
import { readListPage } from '../lists/list-page.ts';
import { PageWindow } from '../lists/page-window.ts';
import { maxBatch, readRange } from '../lists/range-reader.ts';
import { keysInOrder } from '../positions/read.ts';
import { getItem } from '../table/get-item.ts';
import { personHash } from '../table/hash-key.ts';
import { addressOrdersPartition, barcodeKey, userOrdersPartition } from '../table/keys.ts';
import { retryUntil } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { isTicketRow, parseTicket } from './barcode-row.ts';
import { ownedOrders } from './owner-index.ts';
import { type OrderPosition, ordersInTime, type PositionsPage, parseOrderPosition, statusAtKey } from './positions.ts';
import { readOrderWithTickets } from './read.ts';
import { type ListedOrder, type ListedOrders, readListedOrders } from './read-listed.ts';
import { referencedOrders, referencedOrdersPartition } from './reference-index.ts';
import { parseOrder } from './row.ts';
import { searchAllOrders } from './search-all.ts';

export interface AllOrdersListing {
  readonly orgId: string;
  readonly userId: number | undefined;
  readonly emailAddress: string | undefined;
  readonly status: OrderStatus | undefined;
  readonly search?: string | undefined;
  /** Only the orders with exactly this reference of another system. */
  readonly externalReference?: string | undefined;
  /** Only the order that has a ticket with this barcode. */
  readonly barcode?: string | undefined;
  readonly range: TimeRange;
  readonly page: number;
  readonly limit: number;
}

/**
 * Returns a page of the orders of an organisation for all events, the newest first, with their tickets and events. The
 * positions of the orders of a customer, an address or a reference are read from their index, those of a search from its words, all others from the
 * position tree, then the orders of the page by their keys. If an order changed in between, the page is read again, consistently.
 */
export async function listAllOrders(table: Table, listing: AllOrdersListing): Promise<ListedOrders> {
  const { barcode } = listing;
  if (barcode !== undefined) return { orders: await ordersWithBarcode(table, listing, barcode), hasMore: false };
  const matches = isListed(listing);
  return retryUntil('The orders change too often to be listed. Try again.', async (attempt) => {
    const { rows, hasMore } = await positionsOf(table, listing);
    const read = await readListedOrders(table, listing.orgId, { rows, consistent: attempt > 1 });
    // Orders that do not match any more are left out.
    const orders = read.filter(({ order }) => matches(order));
    return orders.length === rows.length ? { orders, hasMore } : undefined;
  });
}

/**
 * The order of a ticket, unless another filter leaves it out. A barcode that the ticket had before it was given away is not one of
 * the order's any more.
 */
async function ordersWithBarcode(
  table: Table,
  listing: AllOrdersListing,
  barcode: string,
): Promise<readonly ListedOrder[]> {
  const { orgId, range, page } = listing;
  const item = page === 1 ? await getItem(table, barcodeKey(orgId, barcode), { consistent: true }) : undefined;
  const placed = isTicketRow(item) && (await readOrderWithTickets(table, orgId, parseTicket(item).orderId));
  if (!placed) return [];
  const { order, tickets, memberships } = placed;
  const isOfOrder = tickets.some((ticket) => normalizeBarcode(ticket.barcode) === normalizeBarcode(barcode));
  if (!isOfOrder || !isListed(listing)(order) || !isInRange(order, range)) return [];
  const events = await readEvents(table, orgId, new Set([order.eventId]));
  return [{ order, tickets, memberships, event: events.get(order.eventId) }];
}

function isInRange({ placedUnix }: Pick<OrderRecord, 'placedUnix'>, range: TimeRange): boolean {
  const { from, to } = secondsOf(range);
  return placedUnix >= from && placedUnix < to;
}

async function positionsOf(table: Table, listing: AllOrdersListing): Promise<PositionsPage> {
  const { orgId, userId, emailAddress, externalReference, range } = listing;
  if (externalReference !== undefined) return positionsWithReference(table, listing, externalReference);
  const [first, second] = [
    ...(userId === undefined ? [] : [userOrdersPartition(orgId, userId)]),
    ...(emailAddress === undefined ? [] : [addressOrdersPartition(orgId, emailAddress, await personHash(table))]),
  ];
  const search = parseSearch(listing.search ?? '');
  if (search !== undefined) {
    const owners = [first, second].filter((owner) => owner !== undefined);
    const matches = isListed(listing);
    return searchAllOrders(table, {
      ...listing,
      search,
      matchesFilter: (order) => matches(order) && isInRange(order, range),
      owned: await Promise.all(owners.map((owner) => sortKeysOf(table, owner, range))),
    });
  }
  return first === undefined
    ? positionsInTime(table, listing)
    : positionsOfOwner(table, listing, { partition: first, also: second });
}

/** The index has the orders themselves, so every other filter is judged without reading more. */
async function positionsWithReference(
  table: Table,
  listing: AllOrdersListing,
  externalReference: string,
): Promise<PositionsPage> {
  const { orgId, page, limit, range } = listing;
  const partition = referencedOrdersPartition(orgId, externalReference, await personHash(table));
  const { rows, hasMore } = await readListPage<OrderRecord>(table, {
    page,
    limit,
    descending: true,
    order: referencedOrders(partition, range, parseOrder),
    matchesFilter: isListed(listing),
  });
  return { rows: rows.map((order) => ({ ...order, sortKey: orderSortKey(order) })), hasMore };
}

async function sortKeysOf(table: Table, owner: string, range: TimeRange): Promise<ReadonlySet<string>> {
  const positions = await readRange(table, ownedOrders(owner, range), maxBatch);
  return new Set(positions.map(({ sortKey }) => sortKey));
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
  const shared = also === undefined ? undefined : await sortKeysOf(table, also, range);
  const hasStatus = hasStatusOf(listing);
  return readListPage<OrderPosition>(table, {
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

/** The keys of the position tree have the status and the event of each order, and show a new order at once. */
async function positionsInTime(table: Table, listing: AllOrdersListing): Promise<PositionsPage> {
  const { orgId, status, range, page, limit } = listing;
  const offset = (page - 1) * limit;
  // Without a status, the counts of the tree say where the page begins.
  const window = new PageWindow<string>(status === undefined ? 0 : offset, limit);
  const start = { offset: status === undefined ? offset : 0, first: window.missingRows };
  for await (const keys of keysInOrder(table, ordersInTime(orgId, range), start)) {
    window.add(status === undefined ? keys : keys.filter((key) => statusAtKey(key) === status));
    if (window.isFull) break;
  }
  return { rows: window.rows.map(parseOrderPosition), hasMore: window.isFull };
}

function isListed(listing: AllOrdersListing): (order: OrderRecord) => boolean {
  const { emailAddress, userId, externalReference } = listing;
  const address = emailAddress === undefined ? undefined : emailIdentity(emailAddress);
  const search = parseSearch(listing.search ?? '');
  const hasStatus = hasStatusOf(listing);
  return (order) =>
    hasStatus(order) &&
    (externalReference === undefined || order.externalReference === externalReference) &&
    (search === undefined || orderMatches(order, search)) &&
    (userId === undefined || order.userId === userId) &&
    (address === undefined || (order.emailAddress !== null && emailIdentity(order.emailAddress) === address));
}
