import { findTicket } from '../../../shared/data/orders/find-ticket.ts';
import {
  type Acceptance,
  type AcceptedTransfer,
  acceptTransfer as accept,
  type TicketState,
} from '../../../shared/data/transfers/write.ts';
import { isHeldBy } from '../../../shared/domain/orders/held-tickets.ts';
import type { TicketRecord } from '../../../shared/domain/orders/order.ts';
import { shownTicket } from '../../../shared/domain/orders/shown-order.ts';
import { parseTransferId } from '../../../shared/domain/orders/transfer.ts';
import { authenticateFan } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { readLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import {
  checkTransferable,
  notOpen,
  offerWithToken,
} from '../../../shared/http/handlers/problems/transfer-problems.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { ticketResource } from '../../../shared/mappers/ticket.ts';
import { ticketTransfer, transferResource } from '../../../shared/mappers/transfer.ts';
import { acceptTransfer } from '../../../shared/operations/tickets/accept-transfer.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { newBarcode } from '../../../shared/platform/barcode.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof acceptTransfer> = async ({ params, body }, deps) => {
  const { table, caller, clock, requestId, receipt, ssoToken } = deps;
  const { orgId } = caller;
  const named = parseTransferId(params.transfer_id);
  const [fan, found, linkOf] = await Promise.all([
    ssoToken === undefined ? undefined : authenticateFan(deps),
    named && findTicket(table, orgId, named.ticketId),
    readLinks(deps),
  ]);
  if (named === undefined || found === undefined) throw notFound('transfer');
  const [atUnix, userId] = [unixSeconds(clock), fan?.userId ?? null];
  const decide = (state: TicketState): Acceptance | undefined => {
    const { offer, status } = offerWithToken(state, { ...named, token: body.accept_token }, atUnix);
    // The response to the fan was lost. Anyone else could be who made the offer, and knows the token too.
    if (status === 'accepted' && userId !== null && isHeldBy(state.ticket, state.placed.order, userId))
      return undefined;
    if (status !== 'offered') throw notOpen(status);
    checkTransferable(state.row, found, atUnix);
    return { offer, barcode: newBarcode(), name: `${body.first_name.trim()} ${body.last_name.trim()}`, userId, atUnix };
  };
  const isPage = caller.kind === 'storefront' || fan !== undefined;
  const respond = (ticket: TicketRecord) =>
    ticketResource(isPage ? shownTicket(ticket, found, atUnix) : ticket, found, linkOf(ticket, found.event));
  const sideEffects = ({ after, offer }: AcceptedTransfer) => {
    const transfer = transferResource(named.ticketId, offer, atUnix);
    const announced = ticketTransfer('ticket.transferred', shownTicket(after, found, atUnix), { ...found, transfer });
    return [...outboxItems(table, orgId, announced, { nowMs: clock.nowMs(), requestId }), ...receipt(respond(after))];
  };
  const { ticket } = await accept(table, orgId, { ref: found.ref, ticketId: named.ticketId, decide }, sideEffects);
  if (ticket === undefined) throw notFound('transfer');
  return respond(ticket);
};

export const handler = pipeline(acceptTransfer, handle);
