import type { TicketOfOrder } from '../../data/orders/find-ticket.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { type AcceptedTransfer, acceptTransfer as writeAcceptance } from '../../data/transfers/write.ts';
import type { TicketRecord } from '../../domain/orders/order.ts';
import { shownTicket } from '../../domain/orders/shown-order.ts';
import { acceptOffer, type OfferedTicket, type RefusedTransfer } from '../../domain/orders/transfer-rules.ts';
import { ticketTransfer, transferResource } from '../../mappers/transfer.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { newBarcode } from '../../platform/barcode.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { TicketDeps } from './deps.ts';

/** Gives a ticket to the person who accepts it. Whoever has accepted it before gets it as it is. */
export async function acceptTransfer(
  { table, orgId, clock, requestId }: TicketDeps,
  found: TicketOfOrder,
  { name, ...token }: Parameters<typeof acceptOffer>[1] & { readonly name: string },
  sideEffects: (ticket: TicketRecord) => readonly TransactItem[],
): Promise<{ readonly ticket: TicketRecord } | RefusedTransfer> {
  const { ref } = found;
  const { ticketId } = found.ticket;
  const atUnix = unixSeconds(clock);
  const decide = (state: OfferedTicket) => {
    const offer = acceptOffer(state, token, found, atUnix);
    if (offer === undefined || 'refusal' in offer) return offer;
    return { offer, barcode: newBarcode(), name, userId: token.userId, atUnix };
  };
  const announce = ({ after, offer }: AcceptedTransfer) => {
    const transfer = transferResource(ticketId, offer, atUnix);
    const announced = ticketTransfer('ticket.transferred', shownTicket(after, found, atUnix), { ...found, transfer });
    return [...outboxItems(table, orgId, announced, { nowMs: clock.nowMs(), requestId }), ...sideEffects(after)];
  };
  const accepted = await writeAcceptance(table, orgId, { ref, ticketId, decide }, announce);
  if ('refusal' in accepted) return accepted;
  return accepted.ticket === undefined ? { refusal: { reason: 'offer_unknown' } } : { ticket: accepted.ticket };
}
