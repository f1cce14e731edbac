import type { TicketRecord } from '../domain/orders/order.ts';
import type { ShownTicket, TicketContext } from '../domain/orders/shown-order.ts';
import type { TransferOffer } from '../domain/orders/transfer.ts';
import { transferIdOf, transferStatus, withoutEndedAddresses } from '../domain/orders/transfer.ts';
import type { Transfer } from '../operations/schemas/transfer.ts';
import type { TransferPreview } from '../operations/tickets/preview-transfer.ts';
import { isoTimestamp } from './iso-timestamp.ts';
import { orderTicket } from './order.ts';

export function transferResource(ticketId: number, offer: TransferOffer, nowUnix: number): Transfer {
  return {
    transfer_id: transferIdOf(ticketId, offer),
    ticket_id: ticketId,
    status: transferStatus(offer, nowUnix),
    email: withoutEndedAddresses([offer], nowUnix)[0]?.emailAddress ?? null,
    created: offer.offeredUnix,
    expires_at: offer.expiresUnix,
  };
}

/** The event that announces an offer or its acceptance. It has no token: bodies of events are kept and listed. */
export function ticketTransfer<const Type extends 'ticket.transfer_offered' | 'ticket.transferred'>(
  type: Type,
  ticket: ShownTicket,
  { order, event, transfer }: Pick<TicketContext, 'order' | 'event'> & { readonly transfer: Transfer },
) {
  return {
    type,
    data: {
      event_id: String(event.eventId),
      order_id: order.orderId,
      ticket: orderTicket(ticket, order.currency),
      transfer,
    },
  };
}

/** What an offer shows to whoever may accept it. */
export function transferPreview(
  ticket: TicketRecord,
  offer: TransferOffer,
  { order, event }: Pick<TicketContext, 'order' | 'event'>,
): TransferPreview {
  // The buyer gives it, or who accepted it last: the name on the ticket is that person's.
  const giver = ticket.transfers === undefined ? order.firstName : ticket.ticketName;
  return {
    transfer_id: transferIdOf(ticket.ticketId, offer),
    giver_first_name: giver?.trim().split(/\s+/)[0] || null,
    event_id: String(event.eventId),
    event_title: event.title,
    event_start: isoTimestamp(event.startUnix),
    venue_name: event.venueName,
    price_title: ticket.priceTitle,
    price_category_title: ticket.categoryTitle,
    section_label: ticket.sectionLabel,
    seat_row: ticket.seatRow,
    seat_title: ticket.seatTitle,
    expires_at: offer.expiresUnix,
  };
}
