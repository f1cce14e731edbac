import type { ShownTicket, TicketContext } from '../domain/orders/shown-order.ts';
import type { TransferOffer } from '../domain/orders/transfer.ts';
import { transferIdOf, transferStatus, withoutEndedAddresses } from '../domain/orders/transfer.ts';
import type { Transfer } from '../operations/schemas/transfer.ts';
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
