import * as v from 'valibot';
import { receivedKinds } from '../../domain/orders/tender.ts';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';

export const OrderPayment = resource('OrderPayment', 'What was received for an order without the payment provider.', {
  payment_id: field(v.string(), 'Unique identifier of the payment.'),
  kind: field(v.picklist(receivedKinds), 'How it was received.'),
  amount: field(Money, 'The amount, in major units of the currency of the order.'),
  reference: field(v.nullable(v.string()), 'What another system calls it; null if nobody said.'),
  at: field(UnixSeconds, 'When it was recorded, in Unix seconds.'),
});
export type OrderPayment = v.InferOutput<typeof OrderPayment>;

export const RecordedPayment = resource('RecordedPayment', 'A payment that was recorded, and what is owed after it.', {
  ...OrderPayment.entries,
  order_id: field(Id, 'The order that was paid.'),
  station: field(v.nullable(v.string()), 'The counter or the till; null if nobody said.'),
  operator: field(v.nullable(v.string()), 'The member of staff; null if nobody said.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD.'),
  outstanding: field(Money, 'What is still owed, in major units of the currency.'),
});
export type RecordedPayment = v.InferOutput<typeof RecordedPayment>;
