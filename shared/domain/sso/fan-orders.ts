import { type EventRecord, eventSortKey } from '../events/event.ts';
import { type OrderRecord, type OrderWithTickets, orderSortKey, type TicketRecord } from '../orders/order.ts';

export interface OrderOfEvent {
  readonly order: OrderRecord;
  readonly event: EventRecord;
}

/** Orders with their events: the newest event first, and of one event the newest order first. */
export function newestEventFirst(
  orders: readonly OrderRecord[],
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

/** The tickets of an order that admit, for the fan who bought it; of an order that is not theirs there are none. */
export function ticketsForFan(placed: OrderWithTickets | undefined, userId: number): readonly TicketRecord[] {
  if (placed?.order.userId !== userId || placed.order.status !== 'confirmed') return [];
  return placed.tickets.filter(({ status }) => status === active);
}
