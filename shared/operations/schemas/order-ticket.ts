import * as v from 'valibot';
import { field, Id, Money, resource } from './fields.ts';

export const OrderTicket = resource('OrderTicket', 'A sold ticket.', {
  ticket_id: field(Id, 'Unique identifier of the ticket.'),
  barcode: field(v.string(), 'The barcode that gates read. Show it only to the holder.'),
  price_id: field(Id, 'The price (ticket type) of the ticket.'),
  price_title: field(v.string(), 'Title of the price.'),
  ticket_name: field(v.nullable(v.string()), 'Name of the holder; null if there is none.'),
  price: field(Money, 'Price of the ticket without fees, in major units of the currency.'),
  fees: field(Money, 'Service fee plus service tax, in major units of the currency.'),
});
export type OrderTicket = v.InferOutput<typeof OrderTicket>;
