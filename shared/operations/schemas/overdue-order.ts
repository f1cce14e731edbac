import * as v from 'valibot';
import { field, Money, resource, UnixSeconds } from './fields.ts';
import { Order } from './order.ts';
import { OrderPayment } from './order-payment.ts';

export const OverdueOrder = resource('OverdueOrder', 'An order on an invoice that is due and not paid.', {
  ...Order.entries,
  event_id: field(v.nullable(v.string()), 'The event of the tickets.'),
  outstanding: field(Money, 'What is still owed, in major units of the currency.'),
  due_unix: field(UnixSeconds, 'When the invoice was due, in Unix seconds.'),
  payments: field(v.array(OrderPayment), 'What was received so far, the oldest first.'),
});
export type OverdueOrder = v.InferOutput<typeof OverdueOrder>;
