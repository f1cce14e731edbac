import * as v from 'valibot';
import { Count, field, Money, resource } from './fields.ts';

export const SalesSummaryRow = resource(
  'SalesSummaryRow',
  'What one price of an event has earned. Counts and amounts leave out what was cancelled or refunded.',
  {
    ticket_price_category: field(v.string(), 'Title of the price category.'),
    ticket_price: field(v.string(), 'Title of the price; the amounts stand in net_sales and gross_sales.'),
    tickets: field(Count, 'Tickets sold.'),
    orders: field(Count, 'Orders that hold at least one of those tickets.'),
    net_sales: field(Money, "Face prices less rebates, in major units of the event's currency."),
    gross_sales: field(Money, "net_sales plus service fees and service tax, in major units of the event's currency."),
  },
);
export type SalesSummaryRow = v.InferOutput<typeof SalesSummaryRow>;
