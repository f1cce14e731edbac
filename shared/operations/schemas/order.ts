import * as v from 'valibot';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';
import { externalReference, Metadata } from './metadata.ts';

export const OrderStatus = v.picklist(['pending', 'confirmed', 'cancelled', 'refunded']);

export const OrderUuid = v.pipe(v.string(), v.uuid());

const OrderCustomer = resource('OrderCustomer', 'The buyer, as of the time of the order.', {
  user_id: field(v.nullable(Id), 'The user_id of the customer; null for an anonymous sale.'),
  email: field(v.nullable(v.string()), 'Email address of the buyer; null if unknown or erased.'),
  first_name: field(v.nullable(v.string()), 'Given name of the buyer; null if unknown or erased.'),
  last_name: field(v.nullable(v.string()), 'Family name of the buyer; null if unknown or erased.'),
});

/** What a checkout, retrieve-order and the lists of orders show alike. */
export const commonOrderEntries = {
  order_status: field(OrderStatus, 'Status of the order. Only confirmed orders have valid tickets.'),
  order_date: field(UnixSeconds, 'When the order was placed, in Unix seconds.'),
  updated_at: field(
    UnixSeconds,
    'When the order or one of its tickets last changed, in Unix seconds; at first when it was recorded. An order of before this field existed has order_date until it changes.',
  ),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of every amount of the order.'),
  total: field(
    Money,
    'What the order costs: price + fees − discount of all tickets and memberships, plus the fee on the order. Of memberships in instalments the whole price: what was paid of it is `paid` of retrieve-order.',
  ),
  refunded: field(Money, 'How much of the total was refunded; 0 if nothing was.'),
};

/** The buyer as of the time of the order, not the current customer. Imported box-office orders often have no buyer. */
export const Order = resource(
  'Order',
  'A purchase of tickets for one event, with the details of the buyer at the time of the order.',
  {
    order_id: field(Id, 'Numeric identifier of the order.'),
    order_uuid: field(OrderUuid, 'Identifier of the order that cannot be guessed. A checkout returns it as id.'),
    ...commonOrderEntries,
    customer: OrderCustomer,
    user_id: field(v.nullable(Id), 'The user_id of the customer; null for an anonymous sale.'),
    first_name: field(v.nullable(v.string()), 'Given name of the buyer; null if unknown.'),
    last_name: field(v.nullable(v.string()), 'Family name of the buyer; null if unknown.'),
    email_address: field(v.nullable(v.string()), 'Email address of the buyer; null if unknown.'),
    postcode: field(v.nullable(v.string()), 'Postal code of the buyer; null if unknown.'),
    country_id: field(v.nullable(Id), 'ISO 3166-1 numeric country code of the buyer, such as 36; null if unknown.'),
    marketing_opt_in: field(v.boolean(), 'Whether the buyer agreed to marketing with this order.'),
    transaction_fee: field(Money, "Fee for the whole order, in major units of the event's currency."),
    discount_amount: field(
      Money,
      "Sum of the discounts of the order's tickets, in major units of the event's currency.",
    ),
    payment_method: field(
      v.nullable(v.string()),
      'How the order was paid: `card`, a wallet such as `apple_pay`, another method of the payment provider such as `ideal`, the kind of the tender at the counter (`cash`, `terminal`, `bank_transfer`, `other`, `complimentary`, `invoice`), or what an imported order says; null if an order that was not sold at the counter was free.',
    ),
    metadata: Metadata,
    external_reference: externalReference,
  },
);
export type Order = v.InferOutput<typeof Order>;
