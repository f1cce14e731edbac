import * as v from 'valibot';
import { receivedKinds } from '../../domain/orders/tender.ts';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';

export const OrderRefund = resource('OrderRefund', 'A refund of an order, or of some of its tickets and memberships.', {
  refund_id: field(v.string(), 'Unique identifier of the refund.'),
  order_id: field(Id, 'The refunded order.'),
  status: field(
    v.picklist(['pending', 'succeeded', 'failed']),
    'A pending refund is carried out within a minute, or as soon as the payment provider responds; with `to_return` as soon as your staff have handed the money over. A failed one was refused by the payment provider: nothing was returned, and the tickets stay as they are. A refund that the provider accepted can fail days later: then the tickets and memberships are cancelled, and can be refunded again.',
  ),
  amount: field(
    Money,
    'The refunded amount in major units of the currency. Gateline returns what its payment provider charged; what was paid at the counter, or elsewhere, you return yourself.',
  ),
  to_return: field(
    Money,
    'What your staff still have to hand over, in major units of the currency: a tender has paid it at the counter, and the refund began where nobody hands money over. record-refund-return records who did. 0 otherwise.',
  ),
  returned_by: field(
    v.nullable(v.picklist(receivedKinds)),
    'How your staff returned the money; null if the payment provider returns it, if nothing was returned yet, and of an imported order.',
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
