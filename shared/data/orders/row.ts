import * as v from 'valibot';
import { given } from '../../domain/given.ts';
import { countOrder } from '../../domain/orders/counts.ts';
import { labelsOf } from '../../domain/orders/labels.ts';
import {
  noEventId,
  type OrderRecord,
  type OrderStatus,
  type OrderWithTickets,
  orderIdAt,
  orderSortKey,
} from '../../domain/orders/order.ts';
import { orderIdIn } from '../../domain/orders/order-uuid.ts';
import { orderWords } from '../../domain/orders/search.ts';
import { StoredBasketOrder, StoredPersonReservation, StoredReservation } from '../baskets/row.ts';
import type { RowRange } from '../lists/range-reader.ts';
import { parseShortSortKey, shortSortKey } from '../lists/short-sort-key.ts';
import { type WordEntry, wordItems, wordRange } from '../lists/word-row.ts';
import {
  basketKey,
  type ItemKey,
  memberOrdersPartition,
  orderKey,
  ordersPartition,
  orderWordPartition,
  uniqueKey,
  userOrdersPartition,
} from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import { carried, row, storedEnum, storedMetadata } from '../table/row.ts';
import { addressAttributes, StoredOrderAddress } from './invoice-address-row.ts';
import { owedIndexKeys } from './owed-index.ts';
import { ownerIndexKeys } from './owner-index.ts';
import { encodePriceCounts } from './price-counts.ts';
import { referenceIndexKeys } from './reference-index.ts';
import { parsedRefund, StoredRefund, storedRefund } from './refund-row.ts';
import { tenderAttributes, tenderEntries, tenderFields } from './tender-row.ts';
import { returnIndexKeys } from './to-return.ts';

export type OrderItem = ItemKey & Readonly<Record<string, unknown>>;

/** Empty values are not stored, and attribute names are short, because the indexes contain copies of an order. */
const text = v.optional(v.string());
const status = storedEnum(['pending', 'confirmed', 'cancelled', 'refunded'], 'pending');
const StoredOrder = row(
  {
    id: v.number(),
    uuid: v.string(),
    event: v.optional(v.number(), noEventId),
    st: status,
    at: v.number(),
    upd: v.optional(v.number()),
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
    /** What is not owed any more, and what was paid for what has ended and is not returned. */
    gone: v.optional(v.number()),
    kept: v.optional(v.number()),
    paid: text,
    ...tenderEntries,
    book: v.optional(v.boolean(), false),
    refs: v.optional(v.array(StoredRefund), []),
    res: v.optional(StoredReservation),
    per: v.optional(StoredPersonReservation),
    /** The code of the basket. */
    with: text,
    inv: v.optional(StoredOrderAddress),
    meta: storedMetadata,
    /** The reference of another system. */
    xref: text,
    v: v.number(),
  },
  ['sold', 'bars'],
);

export function parseOrder(item: unknown): OrderRecord {
  const stored = v.parse(StoredOrder, item);
  return {
    ...carried(stored),
    orderId: stored.id,
    orderUuid: stored.uuid,
    eventId: stored.event,
    status: stored.st,
    placedUnix: stored.at,
    ...(stored.upd !== undefined && { updatedUnix: stored.upd }),
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
    ...(stored.gone !== undefined && { writtenOffMinor: stored.gone }),
    ...(stored.kept !== undefined && { keptMinor: stored.kept }),
    paymentMethod: stored.paid ?? null,
    ...tenderFields(stored),
    isBooked: stored.book,
    refundsElsewhere: stored.refs.map(parsedRefund),
    ...(stored.res !== undefined && { reservation: stored.res }),
    ...(stored.per !== undefined && { personReservation: stored.per }),
    ...(stored.with !== undefined && { code: stored.with }),
    ...(stored.inv !== undefined && { invoiceAddress: stored.inv }),
    ...labelsOf({ metadata: stored.meta, externalReference: stored.xref }),
    version: stored.v,
  };
}

function orderAttributes(order: OrderRecord): Record<string, unknown> {
  const stored: v.InferInput<typeof StoredOrder> = {
    id: order.orderId,
    uuid: order.orderUuid,
    event: order.eventId === noEventId ? undefined : order.eventId,
    st: order.status,
    at: order.placedUnix,
    upd: order.updatedUnix,
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
    back: order.refundedMinor || undefined,
    gone: order.writtenOffMinor,
    kept: order.keptMinor,
    paid: order.paymentMethod ?? undefined,
    book: order.isBooked || undefined,
    res: order.reservation && { ...order.reservation, tickets: [...order.reservation.tickets] },
    with: order.code,
    meta: order.metadata,
    xref: order.externalReference,
    v: order.version,
  };
  return given(stored);
}

/**
 * The row is the source of truth for an order. Index by2 lists the orders of an event by status, and index by6 the orders of a
 * customer. Index by3 lists those with tickets at prices with a limit per member, index by4 those with tickets of phases with a limit per person, and index by5 those with a
 * reference. The row contains the barcodes of its tickets, so one BatchGet reads what the gates know of them.
 */
export function orderRow(orgId: string, { order, tickets }: OrderWithTickets, hash: PersonHash): OrderItem {
  const sortKey = orderSortKey(order);
  return {
    ...carried(order),
    ...orderKey(orgId, order.eventId, sortKey),
    ...orderAttributes(order),
    ...tenderAttributes(order),
    ...addressAttributes(order),
    ...owedIndexKeys(orgId, order),
    ...returnIndexKeys(orgId, order),
    ...referenceIndexKeys(orgId, order, hash),
    ...(order.refundsElsewhere.length > 0 && { refs: order.refundsElsewhere.map(storedRefund) }),
    sold: encodePriceCounts(countOrder({ order, tickets })),
    bars: tickets.map(({ barcode }) => barcode),
    by2pk: ordersPartition(orgId, order.eventId, order.status),
    by2sk: sortKey,
    ...(order.reservation !== undefined && {
      by3pk: memberOrdersPartition(orgId, order.eventId, order.reservation.owner),
      by3sk: sortKey,
    }),
    ...(order.personReservation !== undefined && {
      per: order.personReservation,
      by4pk: memberOrdersPartition(orgId, order.eventId, order.personReservation.owner),
      by4sk: sortKey,
    }),
    ...(order.userId !== null && ownerIndexKeys(userOrdersPartition(orgId, order.userId), order)),
  };
}

/** What a search word says about an order. */
export interface OrderEntry extends WordEntry {
  readonly sortKey: string;
  readonly placedUnix: number;
  readonly status: OrderStatus;
}

const usualStatus: OrderStatus = 'confirmed';
const OrderWord = v.object({ st: v.optional(status, usualStatus) });

/** The search words of an order, with those of its event. They are written in the same transaction as the row. */
export function orderWordItems(orgId: string, order: OrderRecord): OrderItem[] {
  const fields = order.status === usualStatus ? {} : { st: order.status };
  return wordItems(
    orderWords(order),
    partitionOf(orgId, order.eventId),
    shortSortKey(order.placedUnix, order.orderId),
    fields,
  );
}

/** The orders of an event with a word that starts with a key. */
export function orderWordRange(orgId: string, eventId: number): (key: string) => RowRange<OrderEntry> {
  return wordRange<OrderEntry>(partitionOf(orgId, eventId), (tail, item) => {
    const { second: placedUnix, id } = parseShortSortKey(tail);
    const sortKey = orderSortKey({ placedUnix, orderId: id });
    return { id, sortKey, placedUnix, status: v.parse(OrderWord, item).st };
  });
}

const partitionOf = (orgId: string, eventId: number) => (firstCharacter: string) =>
  orderWordPartition(orgId, eventId, firstCharacter);

/**
 * Orders are sorted by time. The row of its basket leads from the id to the order's key, and makes the id unique. An order that
 * had no basket has this row instead, with the same key and the same attributes.
 */
export function orderIdItem(orgId: string, { orderId, eventId, orderUuid, placedUnix }: OrderRecord): OrderItem {
  return { ...orderIdKey(orgId, orderId), basketId: orderId, eventId, order: { uuid: orderUuid, placedUnix } };
}

/** Leads from the UUID to the order's key, for a UUID that does not name the order itself. */
export function orderUuidItems(orgId: string, order: OrderRecord): OrderItem[] {
  const { orderId, orderUuid, eventId } = order;
  if (orderIdIn(orderUuid) === orderId) return [];
  return [{ ...orderUuidKey(orgId, orderUuid), event: eventId, sortKey: orderSortKey(order) }];
}

export const orderIdKey = basketKey;
export const orderUuidKey = (orgId: string, orderUuid: string): ItemKey =>
  uniqueKey(orgId, 'order-uuid', orderUuid.toLowerCase());

const IdItem = v.object({
  basketId: v.number(),
  eventId: v.optional(v.nullable(v.number())),
  order: v.optional(StoredBasketOrder),
});
const UuidItem = v.object({ event: v.number(), sortKey: v.string() });

/** Where the row of an order and its tickets are. */
export interface OrderRef {
  readonly orderId: number;
  readonly orderUuid: string;
  readonly eventId: number;
  readonly sortKey: string;
}

/** Undefined if the row is that of a basket that has not become an order. */
export function parseIdRef(row: unknown): OrderRef | undefined {
  const { basketId: orderId, eventId, order } = v.parse(IdItem, row);
  if (order === undefined) return undefined;
  const { uuid: orderUuid, placedUnix } = order;
  return { orderId, orderUuid, eventId: eventId ?? noEventId, sortKey: orderSortKey({ orderId, placedUnix }) };
}

export function parseUuidRef(item: unknown, orderUuid: string): OrderRef {
  const { event: eventId, sortKey } = v.parse(UuidItem, item);
  return { orderId: orderIdAt(sortKey), orderUuid, eventId, sortKey };
}

export function orderKeyAt(orgId: string, { eventId, sortKey }: OrderRef): ItemKey {
  return orderKey(orgId, eventId, sortKey);
}
