import { type EventRecord, eventSortKey } from '../events/event.ts';
import {
  discountedTickets,
  noEventId,
  type OrderRecord,
  type OrderWithTickets,
  orderSortKey,
  type TicketRecord,
} from '../orders/order.ts';

/** An order of a customer. */
export interface FanOrder extends OrderRecord {
  /** The tickets that are neither cancelled nor refunded. */
  readonly ticketCount: number;
}

export interface OrderOfEvent {
  readonly order: FanOrder;
  /** Null for an order of memberships only. */
  readonly event: EventRecord | null;
}

/**
 * Returns orders with their events: the newest event first, and within an event the newest order first. An order without an event
 * is at its own date.
 */
export function newestEventFirst(
  orders: readonly FanOrder[],
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

/** Returns the active tickets of a confirmed order, if the fan bought it; an empty list for an order of another customer. */
export function ticketsForFan(placed: OrderWithTickets | undefined, userId: number): readonly TicketRecord[] {
  if (placed?.order.userId !== userId || placed.order.status !== 'confirmed') return [];
  return discountedTickets(placed).filter(({ status }) => status === active);
}
