import type { TicketOfOrder } from '../../data/orders/find-ticket.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { changeOffers } from '../../data/transfers/write.ts';
import type { TransferOffer } from '../../domain/orders/transfer.ts';
import { cancelOffer, type OfferedTicket, type RefusedTransfer } from '../../domain/orders/transfer-rules.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { TicketDeps } from './deps.ts';

/** Cancels an offer of a ticket, if whoever asks still holds it. */
export async function cancelTransfer(
  { table, orgId, clock }: TicketDeps,
  { ref, ticket: { ticketId } }: TicketOfOrder,
  named: Parameters<typeof cancelOffer>[1],
  sideEffects: (cancelled: TransferOffer) => readonly TransactItem[],
): Promise<{ readonly offer: TransferOffer } | RefusedTransfer> {
  const decide = (state: OfferedTicket) => cancelOffer(state, named, unixSeconds(clock));
  const offerIn = (offers: readonly TransferOffer[]) => offers.find(({ number }) => number === named.number);
  const changed = await changeOffers(table, orgId, { ref, ticketId, decide }, ({ offers }) => {
    const offer = offerIn(offers);
    return offer === undefined ? [] : sideEffects(offer);
  });
  if ('refusal' in changed) return changed;
  const offer = offerIn(changed.offers ?? []);
  return offer === undefined ? { refusal: { reason: 'offer_unknown' } } : { offer };
}
