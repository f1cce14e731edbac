import * as v from 'valibot';
import { field, resource } from './fields.ts';
import { Order } from './order.ts';
import { OrderMembership } from './order-membership.ts';
import { OrderTicket } from './order-ticket.ts';

export const OrderWithTickets = resource(
  'OrderWithTickets',
  'An order with its event, its amounts, its tickets and its memberships.',
  {
    ...Order.entries,
    event_id: field(
      v.nullable(v.string()),
      'The event that the tickets are for; null for an order of memberships only.',
    ),
    event_title: field(v.nullable(v.string()), 'Title of the event; null if there is none, or if it no longer exists.'),
    code: field(
      v.nullable(v.string()),
      'The code that was applied to the basket (apply-code); null if there was none.',
    ),
    tickets: field(v.array(OrderTicket), 'All tickets of the order, one for each person, whatever their status.'),
    memberships: field(
      v.array(OrderMembership),
      'All memberships of the order, one for each person, also refunded ones.',
    ),
  },
);
export type OrderWithTickets = v.InferOutput<typeof OrderWithTickets>;
