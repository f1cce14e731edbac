import * as v from 'valibot';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';

export const OrderRefund = resource('OrderRefund', 'A refund of an order, or of some of its tickets and memberships.', {
  refund_id: field(v.string(), 'Unique identifier of the refund.'),
  order_id: field(Id, 'The refunded order.'),
  status: field(
    v.picklist(['pending', 'succeeded', 'failed']),
    'A pending refund is carried out within a minute, or as soon as the payment provider responds. A failed one was refused by the payment provider: nothing was returned, and the tickets stay as they are. A refund that the provider accepted can fail days later: then the tickets and memberships are cancelled, and can be refunded again.',
  ),
  amount: field(
    Money,
    'The refunded amount in major units of the currency. Gateline returns it only if the order was paid through it; otherwise return it yourself.',
  ),
  kept: field(
    Money,
    'What was paid for its tickets and memberships and stays with the organisation, in major units of the currency; 0 if everything goes back.',
  ),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of the amounts.'),
  ticket_ids: field(v.array(Id), 'The refunded tickets.'),
  membership_member_ids: field(v.array(Id), 'The members whose memberships are refunded.'),
  reason: field(v.nullable(v.string()), 'The reason that was given; null if there is none.'),
  created: field(UnixSeconds, 'When the refund was requested, in Unix seconds.'),
});
export type OrderRefund = v.InferOutput<typeof OrderRefund>;
