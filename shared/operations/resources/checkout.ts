import * as v from 'valibot';
import { field, Id, Money, resource } from './fields.ts';
import { OrderUuid } from './order.ts';
import { OrderTicket } from './order-ticket.ts';

export const CheckoutCustomer = resource(
  'CheckoutCustomer',
  'The buyer, with the names and address given at checkout.',
  {
    user_id: field(Id, 'The customer that the order was recorded for, found by email address or made.'),
    org_customer_id: field(v.string(), 'The id to retrieve that customer with.'),
    email: field(v.string(), 'Where to reach the buyer.'),
    first_name: field(v.string(), 'Given name.'),
    last_name: field(v.string(), 'Family name.'),
  },
);
export type CheckoutCustomer = v.InferOutput<typeof CheckoutCustomer>;

export const CheckoutOrder = resource('CheckoutOrder', 'The paid order that a basket has become.', {
  id: field(OrderUuid, 'The same as order_uuid.'),
  order_id: field(Id, 'Short number of the order.'),
  order_uuid: field(OrderUuid, 'Id of the order that cannot be guessed.'),
  status: field(v.picklist(['confirmed']), 'A checkout that succeeds always ends in a confirmed order.'),
  event_id: field(v.string(), 'The event that the tickets are for.'),
  total: field(Money, 'What was charged: tickets plus fees, in major units of the currency.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of every amount of the order.'),
  customer: CheckoutCustomer,
  tickets: field(v.array(OrderTicket), 'One for each person; a group ticket holds several.'),
});
export type CheckoutOrder = v.InferOutput<typeof CheckoutOrder>;
