import * as v from 'valibot';
import { field, Id, Money, resource } from './fields.ts';
import { OrderStatus, OrderUuid } from './order.ts';
import { OrderTicket } from './order-ticket.ts';

export const CheckoutCustomer = resource(
  'CheckoutCustomer',
  'The buyer, with the names and address given at checkout.',
  {
    user_id: field(Id, 'The customer that the order was recorded for, found by email address or made.'),
    org_customer_id: field(v.string(), 'The id to retrieve that customer with.'),
    email: field(v.nullable(v.string()), 'Where to reach the buyer; null once that was erased.'),
    first_name: field(v.nullable(v.string()), 'Given name; null once that was erased.'),
    last_name: field(v.nullable(v.string()), 'Family name; null once that was erased.'),
  },
);
export type CheckoutCustomer = v.InferOutput<typeof CheckoutCustomer>;

export const CheckoutOrder = resource('CheckoutOrder', 'The paid order that a basket has become.', {
  id: field(OrderUuid, 'The same as order_uuid.'),
  order_id: field(Id, 'Short number of the order.'),
  order_uuid: field(OrderUuid, 'Id of the order that cannot be guessed.'),
  status: field(
    OrderStatus,
    'A checkout that succeeds ends in a confirmed order. It may be cancelled or refunded later.',
  ),
  event_id: field(v.string(), 'The event that the tickets are for.'),
  total: field(Money, 'What was charged: tickets plus fees, in major units of the currency.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of every amount of the order.'),
  customer: CheckoutCustomer,
  tickets: field(v.array(OrderTicket), 'One for each person; a group ticket holds several.'),
});
export type CheckoutOrder = v.InferOutput<typeof CheckoutOrder>;
