import * as v from 'valibot';
import { field, Id, Money, resource } from './fields.ts';
import { keyOnlyMetadata, keyOnlyReference } from './metadata.ts';
import { commonOrderEntries, OrderStatus, OrderUuid } from './order.ts';
import { orderLink } from './order-link.ts';
import { OrderMembership } from './order-membership.ts';
import { OrderTicket } from './order-ticket.ts';

export const CheckoutCustomer = resource(
  'CheckoutCustomer',
  'The buyer, with the name and email address given at checkout.',
  {
    user_id: field(
      v.nullable(Id),
      'The user_id of the customer, found by email address or newly created; null for a storefront token, except in the checkout of the linked fan who is the customer.',
    ),
    org_customer_id: field(v.nullable(v.string()), 'The customer_id in paths; null where user_id is.'),
    email: field(v.nullable(v.string()), 'Email address of the buyer; null if it was erased.'),
    first_name: field(v.nullable(v.string()), 'Given name of the buyer; null if it was erased.'),
    last_name: field(v.nullable(v.string()), 'Family name of the buyer; null if it was erased.'),
  },
);
export type CheckoutCustomer = v.InferOutput<typeof CheckoutCustomer>;

export const CheckoutOrder = resource('CheckoutOrder', 'The order of a basket that was checked out.', {
  id: field(OrderUuid, 'Same as order_uuid.'),
  order_id: field(Id, 'Numeric identifier of the order.'),
  order_uuid: field(OrderUuid, 'Identifier of the order that cannot be guessed.'),
  status: field(
    OrderStatus,
    'Same as order_status. A successful checkout results in a confirmed order, which can be cancelled or refunded later.',
  ),
  ...commonOrderEntries,
  event_id: field(v.nullable(v.string()), 'The event that the tickets are for; null for an order of memberships only.'),
  customer: CheckoutCustomer,
  tickets: field(v.array(OrderTicket), 'The tickets, one for each person. A group ticket results in several.'),
  memberships: field(v.array(OrderMembership), 'The memberships, one for each person.'),
  change: field(
    v.nullable(Money),
    'What your staff give back of `tender[received]`, in major units of the currency; null if that was not sent.',
  ),
  metadata: keyOnlyMetadata,
  external_reference: keyOnlyReference,
  link: orderLink,
});
export type CheckoutOrder = v.InferOutput<typeof CheckoutOrder>;
