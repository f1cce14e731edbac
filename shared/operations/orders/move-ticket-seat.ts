import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { seatMapsAccess } from '../../data/seat-maps/access.ts';
import { outboxAccess } from '../../outbox/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { Ticket } from '../schemas/ticket.ts';
import { linkAccess, ticketPath } from '../tickets/ticket-path.ts';
import { orderPath } from './order-path.ts';

export const moveTicketSeat = defineOperation({
  id: 'move-ticket-seat',
  resource: 'orders',
  summary: 'Move a ticket to another seat',
  description: `Gives a ticket of an event with reserved seating another free seat of the same zone, at once: the old seat is for sale again. The barcode, the
name and the price stay, and a scanned ticket can move too. Send the ticket again: \`ticket.updated\` follows. The rule about single seats does not apply.
A cancelled or refunded ticket is a 409 \`ticket_not_active\`.`,
  method: 'POST',
  paths: ['/v1/orders/{order_id}/tickets/{ticket_id}/seat'],
  auth: { kind: 'metered', scope: 'orders:write' },
  input: {
    params: v.strictObject({ ...orderPath.entries, ...ticketPath.entries }),
    body: v.strictObject({ seat: field(text(100), 'The seat that the ticket gets, as `section/row/seat`.') }),
  },
  output: {
    schema: Ticket,
    // A repeat finds the ticket at the seat.
    isStored: false,
    problems: ['seat_unknown', 'seat_wrong_zone', 'seat_taken', 'ticket_not_active'],
  },
  effects: {
    access: [
      ...linkAccess,
      ordersAccess.findOrderRef,
      ordersAccess.readOrderAt,
      ordersAccess.moveTicketSeat,
      pricesAccess.readTicketRules,
      seatMapsAccess.readMapVersion,
      outboxAccess.outboxItems,
    ],
    emits: ['ticket.updated'],
    secrets: ['links'],
    cannotBeUndone: false,
  },
});
