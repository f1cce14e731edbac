import * as v from 'valibot';
import { countOrder } from '../../domain/orders/counts.ts';
import { type OrderRecord, type OrderWithTickets, orderSortKey } from '../../domain/orders/order.ts';
import { orderWords } from '../../domain/orders/search.ts';
import {
  addressOrdersPartition,
  type ItemKey,
  orderKey,
  ordersPartition,
  orderWordPartition,
  uniqueKey,
  userOrdersPartition,
} from '../table/keys.ts';
import { encodePriceCounts } from './price-counts.ts';

export type OrderItem = ItemKey & Readonly<Record<string, unknown>>;

/** Empty values are not stored, and attribute names are short, because the table contains about six copies of an order. */
const text = v.optional(v.string());
const StoredOrder = v.object({
  id: v.number(),
  uuid: v.string(),
  event: v.number(),
  st: v.picklist(['pending', 'confirmed', 'cancelled', 'refunded']),
  at: v.number(),
  user: v.optional(v.number()),
  first: text,
  last: text,
  email: text,
  post: text,
  land: v.optional(v.number()),
  mail: v.optional(v.boolean(), false),
  cur: v.string(),
  fee: v.optional(v.number(), 0),
  off: v.optional(v.number(), 0),
  total: v.optional(v.number(), 0),
  back: v.optional(v.number(), 0),
  paid: text,
  v: v.number(),
});

export function parseOrder(item: unknown): OrderRecord {
  const stored = v.parse(StoredOrder, item);
  return {
    orderId: stored.id,
    orderUuid: stored.uuid,
    eventId: stored.event,
    status: stored.st,
    placedUnix: stored.at,
    userId: stored.user ?? null,
    firstName: stored.first ?? null,
    lastName: stored.last ?? null,
    emailAddress: stored.email ?? null,
    postcode: stored.post ?? null,
    countryId: stored.land ?? null,
    marketingOptIn: stored.mail,
    currency: stored.cur,
    transactionFeeMinor: stored.fee,
    discountMinor: stored.off,
    totalMinor: stored.total,
    refundedMinor: stored.back,
    paymentMethod: stored.paid ?? null,
    version: stored.v,
  };
}

/** The attributes of an order, the same in its row and in the copy for each of its search words. */
function orderAttributes(order: OrderRecord): Record<string, unknown> {
  const stored: v.InferInput<typeof StoredOrder> = {
    id: order.orderId,
    uuid: order.orderUuid,
    event: order.eventId,
    st: order.status,
    at: order.placedUnix,
    user: order.userId ?? undefined,
    first: order.firstName ?? undefined,
    last: order.lastName ?? undefined,
    email: order.emailAddress ?? undefined,
    post: order.postcode ?? undefined,
    land: order.countryId ?? undefined,
    mail: order.marketingOptIn || undefined,
    cur: order.currency,
    fee: order.transactionFeeMinor || undefined,
    off: order.discountMinor || undefined,
    total: order.totalMinor || undefined,
    paid: order.paymentMethod ?? undefined,
    v: order.version,
  };
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined));
}

/**
 * The row is the source of truth for an order. Index by1 lists the orders of a buyer, the confirmed ones together; index by2
 * lists the orders of an event by status, and index by3 the orders of an email address. The row contains the barcodes of its
 * tickets, so one BatchGet reads what the gates know of them.
 */
export function orderRow(orgId: string, { order, tickets }: OrderWithTickets): OrderItem {
  const sortKey = orderSortKey(order);
  return {
    ...orderKey(orgId, order.eventId, sortKey),
    ...orderAttributes(order),
    // Not in the copies for search: these are written again only when the status changes, and no search shows the amount.
    ...(order.refundedMinor > 0 && { back: order.refundedMinor }),
    sold: encodePriceCounts(countOrder(tickets)),
    bars: tickets.map(({ barcode }) => barcode),
    ...(order.userId !== null && {
      by1pk: userOrdersPartition(orgId, order.userId),
      by1sk: userOrderSortKey(order),
    }),
    by2pk: ordersPartition(orgId, order.eventId, order.status),
    by2sk: sortKey,
    ...(order.emailAddress !== null && {
      by3pk: addressOrdersPartition(orgId, order.emailAddress),
      by3sk: sortKey,
    }),
  };
}

export const confirmedSortKeys = 'confirmed#';
export const otherSortKeys = 'other#';

function userOrderSortKey(order: OrderRecord): string {
  return `${order.status === 'confirmed' ? confirmedSortKeys : otherSortKeys}${orderSortKey(order)}`;
}

const Tickets = v.object({ bars: v.array(v.string()) });

/** The barcodes of an order's tickets, sorted by ticket id. */
export function barcodesOf(row: unknown): readonly string[] {
  return v.parse(Tickets, row).bars;
}

/** Full copies of the order, so that a search needs no second read. They are written in the same transaction as the row. */
export function orderWordItems(orgId: string, order: OrderRecord): OrderItem[] {
  const attributes = orderAttributes(order);
  const sortKey = orderSortKey(order);
  return orderWords(order).keys.map((word) => ({
    pk: wordPartition(orgId, order.eventId, word),
    sk: `${word}\u0000${sortKey}`,
    ...attributes,
  }));
}

export function wordPartition(orgId: string, eventId: number, word: string): string {
  const [first = ''] = word;
  return orderWordPartition(orgId, eventId, first);
}

/** Orders are sorted by time. This item points from the id to the order's key, and makes the id unique. */
export function orderIdClaim(orgId: string, order: OrderRecord): OrderItem {
  return { ...orderIdKey(orgId, order.orderId), event: order.eventId, sortKey: orderSortKey(order) };
}

export function orderUuidClaim(orgId: string, order: OrderRecord): OrderItem {
  return { ...orderUuidKey(orgId, order.orderUuid), event: order.eventId, sortKey: orderSortKey(order) };
}

export const orderIdKey = (orgId: string, orderId: number): ItemKey => uniqueKey(orgId, 'order', String(orderId));
export const orderUuidKey = (orgId: string, orderUuid: string): ItemKey =>
  uniqueKey(orgId, 'order-uuid', orderUuid.toLowerCase());

const Claim = v.object({ event: v.number(), sortKey: v.string() });

/** Where the row of an order and its tickets are. */
export interface OrderClaim {
  readonly eventId: number;
  readonly sortKey: string;
}

export function parseClaim(claim: unknown): OrderClaim {
  const { event: eventId, sortKey } = v.parse(Claim, claim);
  return { eventId, sortKey };
}

/** Returns the key of the order that a claim points to. */
export function claimedOrder(orgId: string, claim: unknown): ItemKey {
  const { eventId, sortKey } = parseClaim(claim);
  return orderKey(orgId, eventId, sortKey);
}
