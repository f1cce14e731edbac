import * as v from 'valibot';
import { tenderKinds } from '../../domain/orders/tender.ts';
import { field, Money, resource, UnixSeconds } from './fields.ts';
import { InvoiceAddress } from './invoice-address.ts';
import { orderLink } from './order-link.ts';
import { OrderPayment } from './order-payment.ts';
import { OrderWithTickets } from './order-with-tickets.ts';

const OrderTender = resource('OrderTender', 'How an order was sold at the counter, and by whom.', {
  kind: field(v.picklist(tenderKinds), 'Same as payment_method of the order.'),
  station: field(v.nullable(v.string()), 'The counter or the till; null if nobody said.'),
  operator: field(v.nullable(v.string()), 'The member of staff; null if nobody said.'),
  reference: field(v.nullable(v.string()), 'What another system calls it, such as a receipt; null if nobody said.'),
  reason: field(v.nullable(v.string()), 'Why it is complimentary; null for every other kind, and if it was erased.'),
});

export const LinkedOrder = resource(
  'LinkedOrder',
  'An order as an API key retrieves it, with what is paid and a link for its buyer.',
  {
    ...OrderWithTickets.entries,
    paid: field(
      Money,
      'How much of the total was paid, also if it was refunded later; 0 for a pending order. A later instalment that is paid is announced by instalment.paid and does not change updated_at.',
    ),
    outstanding: field(
      Money,
      'How much of the total is still owed: the open instalments of its memberships, what is not paid of its invoice, or all of a pending order.',
    ),
    kept: field(
      Money,
      'How much of the total stays with the organisation although its tickets or memberships were refunded: what refund-order and cancel-member kept. 0 if nothing does.',
    ),
    due_unix: field(v.nullable(UnixSeconds), 'When its invoice is due, in Unix seconds; null without an invoice.'),
    payments: field(
      v.array(OrderPayment),
      'What was received at the counter or for an invoice, without the payment provider, the oldest first; empty for every other order.',
    ),
    tender: field(v.nullable(OrderTender), 'How it was sold at the counter; null if it was not.'),
    invoice_address: field(
      v.nullable(InvoiceAddress),
      'Whom its receipt is made out to: given at the checkout, or later with set-invoice-address; null if nobody asked for it, and if it was erased.',
    ),
    link: orderLink,
  },
);
export type LinkedOrder = v.InferOutput<typeof LinkedOrder>;
