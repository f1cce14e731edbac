import * as v from 'valibot';
import { Count, field, Id, Integer, Money, resource, UnixSeconds } from './fields.ts';

const PriceStatus = v.picklist(['active', 'inactive', 'sold_out']);
export const PriceCategoryStatus = v.picklist(['active', 'inactive']);

export const Price = resource('Price', 'A ticket type of an event: what a fan puts into a basket.', {
  price_id: field(Id, 'The id to add to a basket.'),
  price_category_id: field(Id, 'The category that groups this price with others, such as a stand.'),
  price_category_title: field(v.string(), 'Title of that category.'),
  title: field(v.string(), 'The name that fans see, such as Adult.'),
  price: field(Money, "Face price of one, in major units of the event's currency."),
  rebate: field(Money, "Taken off the face price of one, in major units of the event's currency."),
  service_fee: field(Money, "Fee on top of the face price of one, in major units of the event's currency."),
  service_tax: field(Money, "Tax on the service fee of one, in major units of the event's currency."),
  group_ticket: field(v.boolean(), 'True when one purchase holds several tickets.'),
  available_from_unix: field(v.nullable(UnixSeconds), 'Start of the sale, in Unix seconds; null when it has none.'),
  available_until_unix: field(v.nullable(UnixSeconds), 'End of the sale, in Unix seconds; null when it has none.'),
  local_available_from_unix: field(
    v.nullable(UnixSeconds),
    "Start of the sale plus the offset of the event's timezone at that instant; null when there is no start.",
  ),
  local_available_until_unix: field(
    v.nullable(UnixSeconds),
    "End of the sale plus the offset of the event's timezone at that instant; null when there is no end.",
  ),
  membership_type_id: field(v.nullable(Id), 'Only paid members of this type may buy; null when anyone may.'),
  membership_type_name: field(v.nullable(v.string()), 'Title of that membership type; null when anyone may buy.'),
  show_online: field(v.boolean(), 'False when the price is not sold through baskets.'),
  show_boxoffice: field(v.boolean(), 'Whether the box office offers the price.'),
  status: field(PriceStatus, 'sold_out follows the stock at once.'),
  tickets_included: field(
    v.pipe(Count, v.minValue(1)),
    'How many tickets one purchase holds: 1 unless a group ticket.',
  ),
  scanning_flag: field(
    Integer,
    "Handed to the organisation's gate devices with each ticket; 0 unless set. The service itself attaches no meaning to it.",
  ),
});
export type Price = v.InferOutput<typeof Price>;
