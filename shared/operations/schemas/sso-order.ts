import * as v from 'valibot';
import { Count, field, IsoTimestamp, Money, resource } from './fields.ts';

export const SsoOrder = resource('SsoOrder', 'A confirmed order of the signed-in fan.', {
  order_id: field(v.string(), 'Unique identifier of the order.'),
  order_date: field(IsoTimestamp, 'When the order was placed, ISO 8601.'),
  total: field(
    Money,
    "What the order cost: all tickets with their fees and discounts, also refunded ones, and the fee on the order, in major units of the event's currency.",
  ),
  refunded: field(Money, "How much of it was refunded, in major units of the event's currency; 0 if nothing was."),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of the amounts.'),
  ticket_count: field(Count, 'The number of tickets of the order that are neither cancelled nor refunded.'),
  event_id: field(v.string(), 'The event that the tickets are for.'),
  event_title: field(v.string(), 'Title of the event.'),
  event_start: field(IsoTimestamp, 'Start of the event, ISO 8601.'),
  venue_name: field(v.nullable(v.string()), 'Name of the venue; null if there is none.'),
});
export type SsoOrder = v.InferOutput<typeof SsoOrder>;
