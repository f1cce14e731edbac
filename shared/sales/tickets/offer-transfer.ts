import type { TicketOfOrder } from '../../data/orders/find-ticket.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { offerHintPut } from '../../data/transfers/ended-offers.ts';
import { changeOffers } from '../../data/transfers/write.ts';
import { shownTicket } from '../../domain/orders/shown-order.ts';
import type { TransferOffer } from '../../domain/orders/transfer.ts';
import { type OfferedTicket, offerTo, type RefusedTransfer } from '../../domain/orders/transfer-rules.ts';
import { ticketTransfer, transferResource } from '../../mappers/transfer.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import type { TicketDeps } from './deps.ts';

/** Offers a ticket to somebody, if whoever asks still holds it. One transaction writes the offer, its end and the event. */
export async function offerTransfer(
  { table, orgId, clock, requestId }: TicketDeps,
  found: TicketOfOrder,
  offer: Parameters<typeof offerTo>[1],
  sideEffects: (made: TransferOffer) => readonly TransactItem[],
): Promise<{ readonly offer: TransferOffer } | RefusedTransfer> {
  const { ref, event } = found;
  const { ticketId } = found.ticket;
  const nowUnix = unixSeconds(clock);
  const decide = (state: OfferedTicket) => offerTo(state, offer, found, nowUnix);
  const changed = await changeOffers(table, orgId, { ref, ticketId, decide }, ({ state, offers }) => {
    const made = lastOf(offers);
    const announced = { order: state.placed.order, event, transfer: transferResource(ticketId, made, nowUnix) };
    const shown = shownTicket(state.ticket, found, nowUnix);
    return [
      offerHintPut(table, orgId, state.row.ticket.barcode, made),
      ...outboxItems(table, orgId, ticketTransfer('ticket.transfer_offered', shown, announced), {
        nowMs: clock.nowMs(),
        requestId,
      }),
      ...sideEffects(made),
    ];
  });
  if ('refusal' in changed) return changed;
  if (changed.offers === undefined) return { refusal: { reason: 'not_held' } };
  return { offer: lastOf(changed.offers) };
}

function lastOf(offers: readonly TransferOffer[]): TransferOffer {
  const last = offers.at(-1);
  if (last === undefined) throw new Fault('A ticket that was offered has no offer.');
  return last;
}
