import * as v from 'valibot';
import { Count, field, Money, resource, UnixSeconds } from './fields.ts';

export const SalesSummaryRow = resource(
  'SalesSummaryRow',
  'The sales of one price of an event, excluding cancelled and refunded tickets.',
  {
    ticket_price_category: field(v.string(), 'Title of the price category.'),
    ticket_price: field(v.string(), 'Title of the price. The amounts are in net_sales and gross_sales.'),
    tickets: field(Count, 'Number of tickets sold.'),
    complimentary: field(Count, 'How many of these tickets were given away at the counter.'),
    orders: field(Count, 'Number of orders with at least one of these tickets.'),
    net_sales: field(Money, "Face prices minus rebates and discounts, in major units of the event's currency."),
    gross_sales: field(Money, "net_sales plus service fees and service tax, in major units of the event's currency."),
  },
);
export const SalesPeriod = resource('SalesPeriod', 'What was sold and scanned in a stretch of time.', {
  from_unix: field(UnixSeconds, 'Its first second, in Unix seconds.'),
  until_unix: field(UnixSeconds, 'The first second after it, in Unix seconds.'),
  tickets: field(Count, 'Tickets of orders placed in it, excluding cancelled and refunded ones.'),
  gross_sales: field(
    Money,
    "What these tickets cost with service fees and service tax, in major units of the event's currency.",
  ),
  scans: field(Count, 'Scans at the gates, admitted or refused.'),
});
export type SalesPeriod = v.InferOutput<typeof SalesPeriod>;

export type SalesSummaryRow = v.InferOutput<typeof SalesSummaryRow>;
