import * as v from 'valibot';
import { field, Id, Integer, Money, resource } from './fields.ts';

const settled = {
  gross: field(
    Money,
    "Face prices minus rebates of what was sold in these days, in major units of the event's currency.",
  ),
  discounts: field(Money, 'Discounts on what was sold.'),
  fees: field(Money, 'Service fees and service tax of what was sold, and in the total the fees on orders.'),
  tax: field(
    Money,
    'Tax contained in the prices of what was sold, minus tax contained in what was refunded of them in these days (refund-order says how `keep` divides it). The service tax is in fees.',
  ),
  refunds: field(Money, 'What was returned to buyers in these days, whenever they had bought.'),
  kept: field(
    Money,
    'What tickets cost that were cancelled and not refunded, and what was kept of those that were refunded. It is part of net.',
  ),
  net: field(
    Money,
    'gross − discounts + fees − refunds: what is left for the organisation, before the fees of the payment provider.',
  ),
  tickets: field(
    Integer,
    'Tickets that were sold in these days, minus tickets that were cancelled or refunded in them.',
  ),
};

const PriceSettlement = resource('PriceSettlement', 'What became of the money of one price.', {
  price_id: field(Id, 'The price.'),
  price_title: field(v.string(), 'Title of the price.'),
  ...settled,
});

const TotalSettlement = resource('TotalSettlement', 'What became of the money of all prices.', settled);

export const EventSettlement = resource('EventSettlement', 'What became of the money of an event in whole days.', {
  event_id: field(v.string(), 'The event.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of every amount.'),
  prices: field(v.array(PriceSettlement), 'One row for each price of the event, in display order.'),
  total: TotalSettlement,
});
export type EventSettlement = v.InferOutput<typeof EventSettlement>;
