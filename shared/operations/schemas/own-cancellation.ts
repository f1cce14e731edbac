import * as v from 'valibot';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';
import { OrderRefund } from './order-refund.ts';

export const OwnCancellation = resource('OwnCancellation', 'What comes back of a ticket that its buyer cancels.', {
  ticket_id: field(Id, 'The ticket.'),
  order_id: field(Id, 'The order of the ticket.'),
  amount: field(Money, 'What the buyer gets back, in major units of the currency.'),
  kept: field(
    Money,
    'What stays with the organisation of what was paid for the ticket, in major units of the currency; 0 if everything goes back.',
  ),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of the amounts.'),
  until_unix: field(UnixSeconds, 'The first second in which the ticket cannot be cancelled any more, in Unix seconds.'),
  refund: field(v.nullable(OrderRefund), 'The refund, as list-order-refunds shows it; null with dry_run.'),
});
export type OwnCancellation = v.InferOutput<typeof OwnCancellation>;
