import type { CustomerRecord } from '../domain/customers/customer.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { OrderWithTickets } from '../domain/orders/order.ts';
import { customerResource } from './customer.ts';
import { orderWithTickets } from './order.ts';

/** The event of the order's tickets, for its title; undefined if it does not exist. */
type TicketEvent = Pick<EventRecord, 'title'> | undefined;

export function orderCompleted(orgId: string, placed: OrderWithTickets, event: TicketEvent, fan: CustomerRecord) {
  return {
    type: 'order.completed' as const,
    data: { fan: customerResource(orgId, fan), order: orderWithTickets(placed, event) },
  };
}

/** `placed` contains the cancelled or refunded tickets. The order may have others. */
export function orderEnded(
  type: 'order.cancelled' | 'order.refunded',
  orgId: string,
  placed: OrderWithTickets,
  { event, fan }: { readonly event: TicketEvent; readonly fan: CustomerRecord | undefined },
) {
  return {
    type,
    data: { fan: fan === undefined ? null : customerResource(orgId, fan), order: orderWithTickets(placed, event) },
  };
}
