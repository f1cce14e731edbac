import { isSold, type TicketRecord } from '../domain/orders/order.ts';
import type { ShownTicket, TicketContext } from '../domain/orders/shown-order.ts';
import { selfCancelUntilUnix } from '../domain/prices/self-cancel.ts';
import { barcodeFromUnix, namesUntilUnix, transferOf, transferUntilUnix } from '../domain/prices/ticket-rules.ts';
import type { Ticket } from '../operations/schemas/ticket.ts';
import { changedFields } from './changed-fields.ts';
import { isoTimestamp } from './iso-timestamp.ts';
import { orderTicket } from './order.ts';

/** `link` is not a field of the record: who shows the ticket signs it. */
export function ticketResource(
  ticket: ShownTicket,
  { order, event, price }: TicketContext,
  link: string | null,
): Ticket {
  // Whoever was given the ticket did not pay it.
  const selfCancel = ticket.transfers === undefined && isSold(ticket) ? ticket.selfCancel : undefined;
  return {
    ...orderTicket(ticket, order.currency),
    order_id: ticket.orderId,
    event_id: String(event.eventId),
    event_title: event.title,
    event_start: isoTimestamp(event.startUnix),
    barcode_from_unix: barcodeFromUnix(price, event),
    names_until_unix: price.holderNames === 'none' ? null : namesUntilUnix(price, event),
    transfer_until_unix: transferOf(price) === 'none' ? null : transferUntilUnix(price, event),
    self_cancel_until_unix: selfCancel === undefined ? null : selfCancelUntilUnix(selfCancel, event),
    link,
    updated_at: ticket.updatedUnix,
  };
}

const changingNames = ['ticket_name', 'section_label', 'sub_section_title', 'seat_aisle', 'seat_row', 'seat_title'];

/** The event that announces another name or seat. `after` is what the fan may see. */
export function ticketUpdated(before: TicketRecord, after: ShownTicket, { order, event }: TicketContext) {
  const ticket = orderTicket(after, order.currency);
  const changes = changedFields(orderTicket(before, order.currency), ticket, changingNames);
  return {
    type: 'ticket.updated',
    data: { event_id: String(event.eventId), order_id: order.orderId, ticket, ...changes },
  } as const;
}
