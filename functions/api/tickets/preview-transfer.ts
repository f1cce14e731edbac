import { readTicketState } from '../../../shared/data/transfers/write.ts';
import { acceptOffer } from '../../../shared/domain/orders/transfer-rules.ts';
import { isAcceptToken } from '../../../shared/http/auth/accept-token.ts';
import { findTransfer } from '../../../shared/http/handlers/from-path/transfer-from-path.ts';
import { transferProblem } from '../../../shared/http/handlers/problems/transfer-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { transferPreview } from '../../../shared/mappers/transfer.ts';
import { previewTransfer } from '../../../shared/operations/tickets/preview-transfer.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof previewTransfer> = async ({ params, body }, { table, caller, clock }) => {
  const { orgId } = caller;
  const found = await findTransfer(table, orgId, params.transfer_id);
  const { state } = await readTicketState(table, orgId, found.ref, found.ticket.ticketId);
  if (state === undefined) throw notFound('transfer');
  const { number } = found;
  const token = { number, hasHash: (hash: string) => isAcceptToken(body.accept_token, hash), userId: null };
  const offer = acceptOffer(state, token, found, unixSeconds(clock));
  if (offer === undefined) throw notFound('transfer');
  if ('refusal' in offer) throw transferProblem(offer.refusal);
  return transferPreview(state.ticket, offer, found);
};

export const handler = pipeline(previewTransfer, handle);
