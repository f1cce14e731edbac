import * as v from 'valibot';
import { field, Money, resource } from './fields.ts';
import { Order } from './order.ts';
import { OrderTicket } from './order-ticket.ts';

export const OrderWithTickets = resource('OrderWithTickets', 'An order with its event, its amounts and its tickets.', {
  ...Order.entries,
  event_id: field(v.string(), 'The event that the tickets are for.'),
  event_title: field(v.nullable(v.string()), 'Title of the event; null if the event no longer exists.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD, of every amount of the order.'),
  total: field(Money, 'The amount paid: price + fees − discount of all tickets, plus the fee on the order.'),
  refunded: field(Money, 'How much of the total was refunded; 0 if nothing was.'),
  tickets: field(v.array(OrderTicket), 'All tickets of the order, one for each person, whatever their status.'),
});
export type OrderWithTickets = v.InferOutput<typeof OrderWithTickets>;
