import type { TicketRecord } from '../../../shared/domain/orders/order.ts';
import { shownTicket } from '../../../shared/domain/orders/shown-order.ts';
import { isAcceptToken } from '../../../shared/http/auth/accept-token.ts';
import { authenticateFan } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { readLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import { findTransfer } from '../../../shared/http/handlers/from-path/transfer-from-path.ts';
import { transferProblem } from '../../../shared/http/handlers/problems/transfer-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ticketResource } from '../../../shared/mappers/ticket.ts';
import { acceptTransfer } from '../../../shared/operations/tickets/accept-transfer.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { acceptTransfer as accept } from '../../../shared/sales/tickets/accept-transfer.ts';

export const handle: Handle<typeof acceptTransfer> = async ({ params, body }, deps) => {
  const { table, caller, clock, requestId, receipt, ssoToken } = deps;
  const { orgId } = caller;
  const [fan, found, linkOf] = await Promise.all([
    ssoToken === undefined ? undefined : authenticateFan(deps),
    findTransfer(table, orgId, params.transfer_id),
    readLinks(deps),
  ]);
  const isPage = caller.kind === 'storefront' || fan !== undefined;
  const nowUnix = unixSeconds(clock);
  const respond = (ticket: TicketRecord) =>
    ticketResource(isPage ? shownTicket(ticket, found, nowUnix) : ticket, found, linkOf(ticket, found.event));
  const acceptance = {
    number: found.number,
    hasHash: (hash: string) => isAcceptToken(body.accept_token, hash),
    name: `${body.first_name.trim()} ${body.last_name.trim()}`,
    userId: fan?.userId ?? null,
  };
  const accepted = await accept({ table, orgId, clock, requestId }, found, acceptance, (ticket) =>
    receipt(respond(ticket)),
  );
  if ('refusal' in accepted) throw transferProblem(accepted.refusal);
  return respond(accepted.ticket);
};

export const handler = pipeline(acceptTransfer, handle);
