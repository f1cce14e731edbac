import * as v from 'valibot';
import { field, Id, Money, resource } from './fields.ts';

export const OrderTicket = resource('OrderTicket', 'A ticket as it was sold.', {
  ticket_id: field(Id, 'Names the ticket.'),
  barcode: field(v.string(), 'What the gate reads: show it to the holder and to nobody else.'),
  price_id: field(Id, 'The price that was bought.'),
  price_title: field(v.string(), 'Title of that price.'),
  ticket_name: field(v.nullable(v.string()), 'Name of the holder; null when the ticket names nobody.'),
  price: field(Money, 'Price of the ticket without fees, in major units of the currency.'),
  fees: field(Money, 'Service fee plus service tax, in major units of the currency.'),
});
export type OrderTicket = v.InferOutput<typeof OrderTicket>;
