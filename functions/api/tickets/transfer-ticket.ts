import type { TransferOffer } from '../../../shared/domain/orders/transfer.ts';
import { newAcceptToken } from '../../../shared/http/auth/accept-token.ts';
import { requireTicket } from '../../../shared/http/handlers/from-path/ticket-from-path.ts';
import { transferProblem } from '../../../shared/http/handlers/problems/transfer-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { transferResource } from '../../../shared/mappers/transfer.ts';
import { transferTicket } from '../../../shared/operations/tickets/transfer-ticket.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { offerTransfer } from '../../../shared/sales/tickets/offer-transfer.ts';

export const handle: Handle<typeof transferTicket> = async ({ params, body }, deps) => {
  const { table, caller, clock, requestId, receipt } = deps;
  const found = await requireTicket(deps, params.ticket_id);
  const token = newAcceptToken();
  const nowUnix = unixSeconds(clock);
  const respond = (offer: TransferOffer) => transferResource(found.ticket.ticketId, offer, nowUnix);
  const offered = await offerTransfer(
    { table, orgId: caller.orgId, clock, requestId },
    found,
    { emailAddress: body.email.trim(), tokenHash: token.hash, fanId: found.fanId },
    (offer) => receipt(respond(offer)),
  );
  if ('refusal' in offered) throw transferProblem(offered.refusal);
  return { ...respond(offered.offer), accept_token: token.text };
};

export const handler = pipeline(transferTicket, handle);
