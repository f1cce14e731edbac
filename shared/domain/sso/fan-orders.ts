import { type EventRecord, eventSortKey } from '../events/event.ts';
import { isHeldBy } from '../orders/held-tickets.ts';
import {
  isSold,
  noEventId,
  type OrderRecord,
  type OrderWithTickets,
  orderSortKey,
  type TicketRecord,
} from '../orders/order.ts';

/** An order of a customer. */
export interface FanOrder extends OrderRecord, ListedOrder {}

/** What a fan sees of an order. */
export interface ListedOrder
  extends Pick<OrderRecord, 'orderId' | 'eventId' | 'placedUnix' | 'totalMinor' | 'refundedMinor'> {
  /** The tickets that are neither cancelled nor refunded. */
  readonly ticketCount: number;
  readonly currency: string;
}

export interface OrderOfEvent {
  readonly order: ListedOrder;
  /** Null for an order of memberships only. */
  readonly event: EventRecord | null;
}

/**
 * Returns orders with their events: the newest event first, and within an event the newest order first. An order without an event
 * is at its own date.
 */
export function newestEventFirst(
  orders: readonly ListedOrder[],
  events: ReadonlyMap<number, EventRecord>,
): OrderOfEvent[] {
  const eventKey = ({ order, event }: OrderOfEvent): string =>
    eventSortKey(event ?? { startUnix: order.placedUnix, eventId: noEventId });
  const sortKey = (one: OrderOfEvent): string => `${eventKey(one)} ${orderSortKey(one.order)}`;
  return orders
    .flatMap((order) => {
      const event = order.eventId === noEventId ? null : events.get(order.eventId);
      return event === undefined ? [] : [{ order, event }];
    })
    .sort((one, other) => (sortKey(one) < sortKey(other) ? 1 : -1));
}

const active = 1;

/**
 * Returns the tickets of an order that the fan holds: bought and not given away, or given by somebody else. The active ones of a
 * confirmed order, or all that were ever active.
 */
export function ticketsForFan(
  placed: OrderWithTickets | undefined,
  userId: number,
  which: 'confirmed' | 'all',
): readonly TicketRecord[] {
  if (placed === undefined || placed.order.status === 'pending') return [];
  if (which === 'confirmed' && placed.order.status !== 'confirmed') return [];
  return placed.tickets.filter(
    (ticket) => (which === 'all' || ticket.status === active) && isHeldBy(ticket, placed.order, userId),
  );
}

/**
 * The orders of others that the fan has tickets of, as the fan sees them: with the tickets that the fan was given, which cost the fan
 * nothing, at the time at which the last one was.
 */
export function ordersOfGifts(
  tickets: readonly TicketRecord[],
  events: ReadonlyMap<number, Pick<EventRecord, 'currency'>>,
): ListedOrder[] {
  const byOrder = Map.groupBy(tickets, ({ orderId }) => orderId);
  return [...byOrder].flatMap(([orderId, given]) => {
    const [{ eventId } = { eventId: noEventId }] = given;
    const currency = events.get(eventId)?.currency;
    const givenUnix = given.flatMap(({ transfers }) => transfers?.former.at(-1)?.untilUnix ?? []);
    const order = { orderId, eventId, placedUnix: Math.max(...givenUnix), totalMinor: 0, refundedMinor: 0 };
    return currency === undefined ? [] : [{ ...order, currency, ticketCount: given.filter(isSold).length }];
  });
}
