import { offerHintPut } from '../../../shared/data/transfers/ended-offers.ts';
import { changeOffers, type TicketState } from '../../../shared/data/transfers/write.ts';
import { offerEndUnix, type TransferOffer } from '../../../shared/domain/orders/transfer.ts';
import { transferUntilUnix } from '../../../shared/domain/prices/ticket-rules.ts';
import { newAcceptToken } from '../../../shared/http/auth/accept-token.ts';
import { checkHeld, requireTicket } from '../../../shared/http/handlers/from-path/ticket-from-path.ts';
import {
  checkOffers,
  checkRecipient,
  checkTransferable,
} from '../../../shared/http/handlers/problems/transfer-problems.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { ticketTransfer, transferResource } from '../../../shared/mappers/transfer.ts';
import { transferTicket } from '../../../shared/operations/tickets/transfer-ticket.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof transferTicket> = async ({ params, body }, deps) => {
  const { table, caller, clock, requestId, receipt } = deps;
  const { orgId } = caller;
  const found = await requireTicket(deps, params.ticket_id);
  const { ref, event, price } = found;
  const { ticketId } = found.ticket;
  const emailAddress = body.email.trim();
  const nowUnix = unixSeconds(clock);
  const token = newAcceptToken();
  const offersWith = (state: TicketState): readonly TransferOffer[] => {
    checkHeld(found, state.ticket, state.placed.order);
    checkTransferable(state.row, found, nowUnix);
    checkRecipient(emailAddress, state);
    checkOffers(state.row.offers, nowUnix);
    const offer: TransferOffer = {
      number: state.row.offered + 1,
      emailAddress,
      tokenHash: token.hash,
      offeredUnix: nowUnix,
      expiresUnix: offerEndUnix(nowUnix, transferUntilUnix(price, event)),
      state: 'offered',
    };
    // Only the address of the last offer leads to the row, so earlier addresses are not kept.
    return [...state.row.offers.map((earlier) => ({ ...earlier, emailAddress: null })), offer];
  };
  const respond = (offers: readonly TransferOffer[]) => transferResource(ticketId, lastOf(offers), nowUnix);
  const changed = await changeOffers(table, orgId, { ref, ticketId, decide: offersWith }, ({ state, offers }) => {
    const announced = { order: state.placed.order, event, transfer: respond(offers) };
    return [
      offerHintPut(table, orgId, state.row.ticket.barcode, lastOf(offers)),
      ...outboxItems(table, orgId, ticketTransfer('ticket.transfer_offered', found.forFan(state.ticket), announced), {
        nowMs: clock.nowMs(),
        requestId,
      }),
      ...receipt(respond(offers)),
    ];
  });
  if (changed.offers === undefined) throw notFound('ticket');
  return { ...respond(changed.offers), accept_token: token.text };
};

function lastOf(offers: readonly TransferOffer[]): TransferOffer {
  const last = offers.at(-1);
  if (last === undefined) throw new Error('A ticket that was offered has no offer.');
  return last;
}

export const handler = pipeline(transferTicket, handle);
