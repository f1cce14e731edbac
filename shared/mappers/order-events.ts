import type { Dispute } from '../domain/baskets/disputes.ts';
import type { CustomerRecord } from '../domain/customers/customer.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { majorUnits } from '../domain/money.ts';
import type { ChangedOrder } from '../domain/orders/change-order.ts';
import type { OrderWithTickets } from '../domain/orders/order.ts';
import type { RefundRecord } from '../domain/orders/refund.ts';
import type { ShownOrder } from '../domain/orders/shown-order.ts';
import { invoiceOutstandingMinor, type OrderPayment } from '../domain/orders/tender.ts';
import { ticketsCostMinor } from '../domain/orders/ticket-discounts.ts';
import { customerResource } from './customer.ts';
import { orderTicket, orderWithTickets } from './order.ts';
import { orderMembership } from './order-membership.ts';
import { orderPayment } from './order-payment.ts';
import { orderRefund, refundStatus } from './order-refund.ts';

/** The event of the order's tickets, for its title; undefined if it does not exist. */
type TicketEvent = Pick<EventRecord, 'title'> | undefined;

/** Endpoints send the tickets to the buyer, so `placed` is what the buyer may see. */
export function orderCompleted(orgId: string, placed: ShownOrder, event: TicketEvent, fan: CustomerRecord | null) {
  return {
    type: 'order.completed' as const,
    data: { fan: fan && customerResource(orgId, fan), order: orderWithTickets(placed, event) },
  };
}

/** The buyer and the event of an order. An anonymous sale has no buyer. */
export interface OrderContext {
  readonly event: TicketEvent;
  readonly fan: CustomerRecord | undefined;
}

/** `changed` and `ended` were cancelled now. The order contains all of its tickets and memberships. */
export function orderCancelled(
  orgId: string,
  placed: OrderWithTickets,
  { changed, ended }: Pick<ChangedOrder, 'changed' | 'ended'>,
  context: OrderContext,
) {
  const { currency } = placed.order;
  const cancelledIds = new Set(changed.map(({ ticketId }) => ticketId));
  const cancelled = placed.tickets.filter(({ ticketId }) => cancelledIds.has(ticketId));
  const amountMinor = ticketsCostMinor([...cancelled, ...ended]);
  return {
    type: 'order.cancelled' as const,
    data: {
      ...orderData(orgId, placed, context),
      cancelled_tickets: cancelled.map((ticket) => orderTicket(ticket, currency)),
      cancelled_memberships: ended.map((membership) => orderMembership(membership, currency)),
      amount: majorUnits(amountMinor, currency),
    },
  };
}

export function orderRefunded(orgId: string, placed: OrderWithTickets, refund: RefundRecord, context: OrderContext) {
  return {
    type: refundStatus(refund) === 'failed' ? ('order.refund_failed' as const) : ('order.refunded' as const),
    data: { ...orderData(orgId, placed, context), refund: orderRefund(placed.order, refund) },
  };
}

/** What was received for an invoice, and what is owed after it. */
export function orderPaymentRecorded(
  orgId: string,
  placed: OrderWithTickets,
  payment: OrderPayment,
  context: OrderContext,
) {
  const { order } = placed;
  return {
    type: 'order.payment_recorded' as const,
    data: {
      ...orderData(orgId, placed, context),
      payment: orderPayment(order, payment),
      outstanding: majorUnits(invoiceOutstandingMinor(order), order.currency),
    },
  };
}

function orderData(orgId: string, placed: OrderWithTickets, { event, fan }: OrderContext) {
  return {
    fan: fan === undefined ? null : customerResource(orgId, fan),
    order: orderWithTickets(placed, event),
  };
}

export function orderDisputed(
  orgId: string,
  placed: OrderWithTickets,
  { dispute, ...context }: OrderContext & { readonly dispute: Dispute },
) {
  return {
    type: 'order.disputed' as const,
    data: {
      ...orderData(orgId, placed, context),
      dispute: {
        dispute_id: dispute.disputeId,
        reason: dispute.reason,
        status: dispute.status,
        amount: majorUnits(dispute.amountMinor, dispute.currency),
        currency: dispute.currency,
        created: dispute.createdUnix,
      },
    },
  };
}
