import { changeOffers, type TicketState } from '../../../shared/data/transfers/write.ts';
import { type TransferOffer, withoutEndedAddresses } from '../../../shared/domain/orders/transfer.ts';
import { checkHeld } from '../../../shared/http/handlers/from-path/ticket-from-path.ts';
import { requireTransfer } from '../../../shared/http/handlers/from-path/transfer-from-path.ts';
import { notOpen } from '../../../shared/http/handlers/problems/transfer-problems.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { transferResource } from '../../../shared/mappers/transfer.ts';
import { cancelTransfer } from '../../../shared/operations/tickets/cancel-transfer.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof cancelTransfer> = async ({ params }, deps) => {
  const { table, caller, clock, receipt } = deps;
  const { orgId } = caller;
  const { number, ...found } = await requireTransfer(deps, params.transfer_id);
  const { ref } = found;
  const { ticketId } = found.ticket;
  const offersWithout = (state: TicketState): readonly TransferOffer[] => {
    checkHeld(found, state.ticket, state.placed.order);
    const isAccepted = state.former.some(({ offers }) => offers.some((offer) => offer.number === number));
    if (isAccepted) throw notOpen('accepted');
    if (!state.row.offers.some((offer) => offer.number === number)) throw notFound('transfer');
    const offers = state.row.offers.map(
      (offer): TransferOffer => (offer.number === number ? { ...offer, state: 'cancelled' } : offer),
    );
    return withoutEndedAddresses(offers, unixSeconds(clock));
  };
  const respond = (offers: readonly TransferOffer[]) => {
    const offer = offers.find((one) => one.number === number);
    if (offer === undefined) throw notFound('transfer');
    return transferResource(ticketId, offer, unixSeconds(clock));
  };
  const changed = await changeOffers(table, orgId, { ref, ticketId, decide: offersWithout }, ({ offers }) =>
    receipt(respond(offers)),
  );
  return respond(changed.offers ?? []);
};

export const handler = pipeline(cancelTransfer, handle);
