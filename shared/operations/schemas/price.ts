import * as v from 'valibot';
import { Count, field, Id, Integer, Money, resource, UnixSeconds } from './fields.ts';

const PriceStatus = v.picklist(['active', 'inactive', 'sold_out']);
export const PriceCategoryStatus = v.picklist(['active', 'inactive']);

export const Price = resource('Price', 'A ticket type of an event. Fans add prices to a basket.', {
  price_id: field(Id, 'Unique identifier of the price.'),
  price_category_id: field(Id, 'The category of the price, such as a stand.'),
  price_category_title: field(v.string(), 'Title of the category.'),
  title: field(v.string(), 'Title of the price, as fans see it, such as Adult.'),
  price: field(Money, "Face price of one ticket, in major units of the event's currency."),
  rebate: field(Money, "Rebate on the face price of one ticket, in major units of the event's currency."),
  service_fee: field(Money, "Fee on top of the face price of one ticket, in major units of the event's currency."),
  service_tax: field(Money, "Tax on the service fee of one ticket, in major units of the event's currency."),
  group_ticket: field(v.boolean(), 'Whether one purchase includes several tickets.'),
  available_from_unix: field(v.nullable(UnixSeconds), 'Start of the sale, in Unix seconds; null if there is none.'),
  available_until_unix: field(v.nullable(UnixSeconds), 'End of the sale, in Unix seconds; null if there is none.'),
  local_available_from_unix: field(
    v.nullable(UnixSeconds),
    "Start of the sale in Unix seconds, plus the offset of the event's timezone at that time; null if there is none.",
  ),
  local_available_until_unix: field(
    v.nullable(UnixSeconds),
    "End of the sale in Unix seconds, plus the offset of the event's timezone at that time; null if there is none.",
  ),
  membership_type_id: field(
    v.nullable(Id),
    'The membership type that a buyer must hold as a paid member; null if anyone can buy.',
  ),
  membership_type_name: field(v.nullable(v.string()), 'Title of the membership type; null if anyone can buy.'),
  show_online: field(v.boolean(), 'Whether the price can be bought with a basket.'),
  show_boxoffice: field(v.boolean(), 'Whether the price is sold at the box office.'),
  status: field(PriceStatus, 'Status of the price. It becomes sold_out as soon as no tickets are left.'),
  tickets_included: field(
    v.pipe(Count, v.minValue(1)),
    'The number of tickets that one purchase includes: 1, or more for a group ticket.',
  ),
  scanning_flag: field(
    Integer,
    'A value for the gate devices of the organisation; 0 if not set. The service does not interpret it.',
  ),
});
export type Price = v.InferOutput<typeof Price>;
