import { emailIdentity } from '../../domain/customers/customer.ts';
import { parseId } from '../../domain/ids.ts';
import { type OrderRecord, type OrderWithTickets, orderSortKey, type TicketRecord } from '../../domain/orders/order.ts';
import { orderIdIn } from '../../domain/orders/order-uuid.ts';
import { keyOfText } from '../../domain/search/query.ts';
import type { FanOrder } from '../../domain/sso/fan-orders.ts';
import { maxBatch, readRange } from '../lists/range-reader.ts';
import { batchGet } from '../table/batch-get.ts';
import { getItem } from '../table/get-item.ts';
import { barcodeKey, type ItemKey, orderKey, orderTicketsKey, userOrdersPartition } from '../table/keys.ts';
import { retryUntil } from '../table/retry.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import { parseTicket } from './barcode-row.ts';
import { type OrderTickets, parseOrderTickets } from './order-tickets-row.ts';
import { ownedOrders } from './owner-index.ts';
import { decodePriceCounts, soldTextOf } from './price-counts.ts';
import {
  type OrderRef,
  orderIdKey,
  orderKeyAt,
  orderUuidKey,
  orderWordRange,
  parseIdRef,
  parseOrder,
  parseUuidRef,
} from './row.ts';

/** Returns the order with an id and all its tickets, sorted by id. The event need not be known. */
export async function readOrderWithTickets(
  table: Table,
  orgId: string,
  orderId: number,
): Promise<OrderWithTickets | undefined> {
  const ref = await readOrderRef(table, orgId, orderId);
  return ref && readOrderAt(table, orgId, ref);
}

/** Returns where the order with an id is, as of now. */
export function readOrderRef(table: Table, orgId: string, orderId: number): Promise<OrderRef | undefined> {
  return refOfId(table, orgId, orderId, { consistent: true });
}

async function refOfId(
  table: Table,
  orgId: string,
  orderId: number,
  options: ReadOptions,
): Promise<OrderRef | undefined> {
  const row = await getItem(table, orderIdKey(orgId, orderId), options);
  return row && parseIdRef(row);
}

/** A UUID names its order, or there is an item that leads from it to the order. Both are looked up at the same time. */
async function refOfUuid(
  table: Table,
  orgId: string,
  uuid: string,
  options: ReadOptions,
): Promise<OrderRef | undefined> {
  const namedId = orderIdIn(uuid);
  const [named, item] = await Promise.all([
    namedId === undefined ? undefined : refOfId(table, orgId, namedId, options),
    getItem(table, orderUuidKey(orgId, uuid), options),
  ]);
  if (named?.orderUuid === uuid.toLowerCase()) return named;
  return item && parseUuidRef(item, uuid.toLowerCase());
}

/**
 * Reads the order and its tickets that a ref points to, at the same time. Two reads are not a snapshot: if the order changed in
 * between, both are read again.
 */
export async function readOrderAt(
  table: Table,
  orgId: string,
  { eventId, sortKey }: OrderRef,
): Promise<OrderWithTickets> {
  const keys = [orderKey(orgId, eventId, sortKey), orderTicketsKey(orgId, eventId, sortKey)];
  return retryUntil('The order changes too often to be read.', async () => {
    const [row, item] = await Promise.all(keys.map((key) => getItem(table, key, { consistent: true })));
    const order = parseOrder(row);
    const shown = parseOrderTickets(item);
    return shown.version === order.version ? withBuyer(order, shown) : undefined;
  });
}

function withBuyer(order: OrderRecord, { tickets, memberships }: OrderTickets): OrderWithTickets {
  const { emailAddress } = order;
  return { order, tickets: tickets.map((ticket) => ({ ...ticket, emailAddress })), memberships };
}

/**
 * Returns where the order with an id or a UUID is. The ref is read at half price first: it never changes, and only one that
 * seems to be missing is read again.
 */
export async function findOrderRef(table: Table, orgId: string, idOrUuid: string): Promise<OrderRef | undefined> {
  const orderId = parseId(idOrUuid);
  if (orderId === undefined && idOrUuid.length !== uuidLength) return undefined;
  const find = (options: ReadOptions) =>
    orderId === undefined ? refOfUuid(table, orgId, idOrUuid, options) : refOfId(table, orgId, orderId, options);
  return (await find({})) ?? find({ consistent: true });
}

const uuidLength = 36;

/** Returns the order with an id, without its tickets. */
export async function readOrder(table: Table, orgId: string, orderId: number): Promise<OrderRecord | undefined> {
  return rowAt(table, orgId, await readOrderRef(table, orgId, orderId));
}

export async function readOrderByUuid(table: Table, orgId: string, uuid: string): Promise<OrderRecord | undefined> {
  return rowAt(table, orgId, await refOfUuid(table, orgId, uuid, { consistent: true }));
}

/** The order whose id or UUID is this text, as a list. */
export async function ordersWithId(table: Table, orgId: string, id: string): Promise<readonly OrderRecord[]> {
  const orderId = parseId(id);
  if (orderId === undefined && id.length !== uuidLength) return [];
  const order = await (orderId === undefined ? readOrderByUuid(table, orgId, id) : readOrder(table, orgId, orderId));
  return order === undefined ? [] : [order];
}

/** Returns the orders of a customer for all events, the oldest first: all, or only the confirmed ones. */
export async function ordersOfUser(
  table: Table,
  orgId: string,
  userId: number,
  which: 'all' | 'confirmed',
): Promise<readonly FanOrder[]> {
  const isWanted = ({ status }: Pick<OrderRecord, 'status'>): boolean => which === 'all' || status === 'confirmed';
  const positions = (await readRange(table, ownedOrders(userOrdersPartition(orgId, userId)), maxBatch)).filter(
    isWanted,
  );
  const items = await readRows(
    table,
    positions.map(({ eventId, sortKey }) => orderKey(orgId, eventId, sortKey)),
  );
  return items
    .map((item) => ({ ...parseOrder(item), ticketCount: ticketsIn(soldTextOf(item)) }))
    .filter(isWanted)
    .sort((one, other) => (orderSortKey(one) < orderSortKey(other) ? -1 : 1));
}

/** Reads rows at half price. One that seems to be missing was just written, and is read again. */
async function readRows(table: Table, keys: readonly ItemKey[]): Promise<readonly Record<string, unknown>[]> {
  const found = await batchGet(table, keys, { consistent: false });
  const known = new Set(found.map(({ pk, sk }) => `${pk} ${sk}`));
  const missing = keys.filter(({ pk, sk }) => !known.has(`${pk} ${sk}`));
  return missing.length === 0 ? found : [...found, ...(await batchGet(table, missing, { consistent: true }))];
}

function ticketsIn(sold: string): number {
  return [...decodePriceCounts(sold).values()].reduce((sum, { tickets }) => sum + tickets, 0);
}

/** Returns the orders of an event whose buyer has this email address. The address is always one of an order's search words. */
export async function ordersByEmail(
  table: Table,
  orgId: string,
  eventId: number,
  emailAddress: string,
): Promise<readonly OrderRecord[]> {
  const range = { ...orderWordRange(orgId, eventId)(keyOfText(emailAddress)), consistent: true };
  const sortKeys = new Set((await readRange(table, range, maxBatch)).map(({ sortKey }) => sortKey));
  const keys = [...sortKeys].map((sortKey) => orderKey(orgId, eventId, sortKey));
  const orders = (await batchGet(table, keys, { consistent: true })).map(parseOrder);
  const isTheirs = ({ emailAddress: known }: OrderRecord): boolean =>
    known !== null && emailIdentity(known) === emailIdentity(emailAddress);
  return orders.filter(isTheirs);
}

async function rowAt(table: Table, orgId: string, ref: OrderRef | undefined): Promise<OrderRecord | undefined> {
  const row = ref && (await getItem(table, orderKeyAt(orgId, ref), { consistent: true }));
  return row && parseOrder(row);
}

/** Returns the tickets as the gates know them. */
export async function readTickets(
  table: Table,
  orgId: string,
  barcodes: readonly string[],
): Promise<readonly TicketRecord[]> {
  const keys = barcodes.map((barcode) => barcodeKey(orgId, barcode));
  const tickets = (await batchGet(table, keys, { consistent: true })).map(parseTicket);
  return tickets.toSorted((one, other) => one.ticketId - other.ticketId);
}
