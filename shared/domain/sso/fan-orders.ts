import { type EventRecord, eventSortKey } from '../events/event.ts';
import { type OrderRecord, type OrderWithTickets, orderSortKey, type TicketRecord } from '../orders/order.ts';
import { withDiscounts } from '../orders/ticket-discounts.ts';

/** An order of a customer. */
export interface FanOrder extends OrderRecord {
  /** The tickets that are neither cancelled nor refunded. */
  readonly ticketCount: number;
}

export interface OrderOfEvent {
  readonly order: FanOrder;
  readonly event: EventRecord;
}

/** Returns orders with their events: the newest event first, and within an event the newest order first. */
export function newestEventFirst(
  orders: readonly FanOrder[],
  events: ReadonlyMap<number, EventRecord>,
): OrderOfEvent[] {
  const sortKey = ({ order, event }: OrderOfEvent): string => `${eventSortKey(event)} ${orderSortKey(order)}`;
  return orders
    .flatMap((order) => {
      const event = events.get(order.eventId);
      return event === undefined ? [] : [{ order, event }];
    })
    .sort((one, other) => (sortKey(one) < sortKey(other) ? 1 : -1));
}

const active = 1;

/** Returns the active tickets of a confirmed order, if the fan bought it; an empty list for an order of another customer. */
export function ticketsForFan(placed: OrderWithTickets | undefined, userId: number): readonly TicketRecord[] {
  if (placed?.order.userId !== userId || placed.order.status !== 'confirmed') return [];
  return withDiscounts(placed.tickets, placed.order).filter(({ status }) => status === active);
}
