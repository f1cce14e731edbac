import { type EventRecord, placeOfEvent } from '../events/event.ts';
import { type OrderRecord, placeOfOrder, type RecordedSale, type TicketRecord } from '../orders/order.ts';

export interface OrderOfEvent {
  readonly order: OrderRecord;
  readonly event: EventRecord;
}

/** Orders with their events: the newest event first, and of one event the newest order first. */
export function newestEventFirst(
  orders: readonly OrderRecord[],
  events: ReadonlyMap<number, EventRecord>,
): OrderOfEvent[] {
  const place = ({ order, event }: OrderOfEvent): string => `${placeOfEvent(event)} ${placeOfOrder(order)}`;
  return orders
    .flatMap((order) => {
      const event = events.get(order.eventId);
      return event === undefined ? [] : [{ order, event }];
    })
    .sort((one, other) => (place(one) < place(other) ? 1 : -1));
}

const active = 1;

/** The tickets of an order that admit, for the fan who bought it; of an order that is not theirs there are none. */
export function ticketsForFan(sale: RecordedSale | undefined, userId: number): readonly TicketRecord[] {
  if (sale?.order.userId !== userId || sale.order.status !== 'confirmed') return [];
  return sale.tickets.filter(({ status }) => status === active);
}
