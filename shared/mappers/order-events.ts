import type { CustomerRecord } from '../domain/customers/customer.ts';
import { majorUnits } from '../domain/money.ts';
import type { OrderWithTickets } from '../domain/orders/order.ts';
import type { WebhookOrder } from '../operations/schemas/webhook-event.ts';
import { customerResource } from './customer.ts';
import { orderResource, orderTicket } from './order.ts';

export function orderCompleted(orgId: string, placed: OrderWithTickets, fan: CustomerRecord) {
  return {
    type: 'order.completed' as const,
    data: { fan: customerResource(orgId, fan), order: orderWithTickets(placed) },
  };
}

/** `placed` contains the cancelled or refunded tickets. The order may have others. */
export function orderEnded(
  type: 'order.cancelled' | 'order.refunded',
  orgId: string,
  placed: OrderWithTickets,
  fan: CustomerRecord | undefined,
) {
  return {
    type,
    data: { fan: fan === undefined ? null : customerResource(orgId, fan), order: orderWithTickets(placed) },
  };
}

function orderWithTickets({ order, tickets }: OrderWithTickets): WebhookOrder {
  return {
    ...orderResource(order),
    event_id: String(order.eventId),
    total: majorUnits(order.totalMinor, order.currency),
    currency: order.currency,
    tickets: tickets.map((ticket) => orderTicket(ticket, order.currency)),
  };
}
