import * as v from 'valibot';
import { Count, field, IsoTimestamp, Money, resource } from './fields.ts';
import { orderLink } from './order-link.ts';

export const SsoOrder = resource('SsoOrder', 'A confirmed order of the signed-in fan.', {
  order_id: field(v.string(), 'Unique identifier of the order.'),
  order_date: field(IsoTimestamp, 'When the order was placed, ISO 8601.'),
  total: field(
    Money,
    'What the order cost: all tickets and memberships with their fees and discounts, also refunded ones, and the fee on the order, in major units of its currency.',
  ),
  refunded: field(Money, 'How much of it was refunded, in major units of its currency; 0 if nothing was.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of the amounts.'),
  ticket_count: field(Count, 'The number of tickets of the order that are neither cancelled nor refunded.'),
  event_id: field(v.nullable(v.string()), 'The event that the tickets are for; null for an order of memberships only.'),
  event_title: field(v.nullable(v.string()), 'Title of the event; null if there is none.'),
  event_start: field(v.nullable(IsoTimestamp), 'Start of the event, ISO 8601; null if there is none.'),
  venue_name: field(v.nullable(v.string()), 'Name of the venue; null if there is none.'),
  link: orderLink,
});
export type SsoOrder = v.InferOutput<typeof SsoOrder>;
