import { changedAt, type OrderWithTickets, type TicketRecord } from './order.ts';
import { invoiceOutstandingMinor, type OrderPayment } from './tender.ts';
import { ticketStatusOf } from './ticket-status.ts';

/** A payment as somebody records it. Its number is given when it is recorded. */
export type NewPayment = Omit<OrderPayment, 'number'>;

export type PaidInvoice =
  | {
      readonly outcome: 'paid';
      readonly before: OrderWithTickets;
      readonly after: OrderWithTickets;
      readonly payment: OrderPayment;
      /** The tickets that admit from now on. */
      readonly changed: readonly TicketRecord[];
    }
  | { readonly outcome: 'more_than_owed'; readonly outstandingMinor: number; readonly currency: string };

/** Records a part of what is owed, or all of it. With the last part, tickets that waited for it become valid. */
export function payInvoice(before: OrderWithTickets, paid: NewPayment): PaidInvoice {
  const { order } = before;
  const outstandingMinor = invoiceOutstandingMinor(order);
  if (paid.amountMinor > outstandingMinor)
    return { outcome: 'more_than_owed', outstandingMinor, currency: order.currency };
  const { payments = [] } = order;
  const payment = { ...paid, number: payments.length + 1 };
  const isComplete = paid.amountMinor === outstandingMinor;
  const tickets = isComplete ? withValid(before.tickets, paid.atUnix) : before.tickets;
  const after = { ...before, order: changedAt({ ...order, payments: [...payments, payment] }, paid.atUnix), tickets };
  return {
    outcome: 'paid',
    before,
    after,
    payment,
    changed: tickets.filter((ticket, index) => ticket !== before.tickets[index]),
  };
}

/** The tickets once nothing is owed any more: those that waited for it become valid. */
export function withValid(tickets: readonly TicketRecord[], atUnix: number): readonly TicketRecord[] {
  return tickets.map((ticket) =>
    ticket.status === ticketStatusOf.pending
      ? { ...ticket, status: ticketStatusOf.confirmed, updatedUnix: atUnix }
      : ticket,
  );
}
