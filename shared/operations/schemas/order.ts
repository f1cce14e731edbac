import * as v from 'valibot';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';

export const OrderStatus = v.picklist(['pending', 'confirmed', 'cancelled', 'refunded']);

export const OrderUuid = v.pipe(v.string(), v.uuid());

/** What an order was made with, not who the customer has become since. Imported box-office sales often name nobody. */
export const Order = resource(
  'Order',
  'A purchase of tickets for one event, with the buyer as of the day it was made.',
  {
    order_id: field(Id, 'Short number of the order.'),
    order_uuid: field(OrderUuid, 'Id of the order that cannot be guessed; the id that a checkout answers with.'),
    order_status: field(OrderStatus, 'Only confirmed orders have tickets that admit.'),
    order_date: field(UnixSeconds, 'When the order was placed, in Unix seconds.'),
    user_id: field(v.nullable(Id), "The buyer's user_id as a customer; null for a sale to nobody in particular."),
    first_name: field(v.nullable(v.string()), 'Given name of the buyer; null when not told.'),
    last_name: field(v.nullable(v.string()), 'Family name of the buyer; null when not told.'),
    email_address: field(v.nullable(v.string()), 'Of the buyer; null when not told.'),
    postcode: field(v.nullable(v.string()), 'Postal code of the buyer; null when not told.'),
    country_id: field(v.nullable(Id), 'ISO 3166-1 numeric code of the buyer, such as 36; null when not told.'),
    marketing_opt_in: field(v.boolean(), 'Whether the buyer agreed to marketing in this order.'),
    transaction_fee: field(Money, "Fee on the order as a whole, in major units of the event's currency."),
    discount_amount: field(Money, "What was taken off the order as a whole, in major units of the event's currency."),
    payment_method: field(v.nullable(v.string()), 'How it was paid; null when there was nothing to pay.'),
  },
);
export type Order = v.InferOutput<typeof Order>;
