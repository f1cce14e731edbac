import type { CustomerRecord } from '../domain/customers/customer.ts';
import { majorUnits } from '../domain/money.ts';
import type { RecordedSale } from '../domain/orders/order.ts';
import type { OrderWithTickets } from '../operations/schemas/webhook-event.ts';
import { customerResource } from './customer.ts';
import { orderResource, orderTicket } from './order.ts';

export function orderCompleted(orgId: string, sale: RecordedSale, fan: CustomerRecord) {
  return {
    type: 'order.completed' as const,
    data: { fan: customerResource(orgId, fan), order: orderWithTickets(sale) },
  };
}

/** `sale` holds the tickets that no longer admit; the order may have others. */
export function orderEnded(
  type: 'order.cancelled' | 'order.refunded',
  orgId: string,
  sale: RecordedSale,
  fan: CustomerRecord | undefined,
) {
  return {
    type,
    data: { fan: fan === undefined ? null : customerResource(orgId, fan), order: orderWithTickets(sale) },
  };
}

function orderWithTickets({ order, tickets }: RecordedSale): OrderWithTickets {
  return {
    ...orderResource(order),
    event_id: String(order.eventId),
    total: majorUnits(order.totalMinor),
    currency: order.currency,
    tickets: tickets.map(orderTicket),
  };
}
