import { findTicket } from '../../../shared/data/orders/find-ticket.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { authenticateFan } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { ownCancelProblem } from '../../../shared/http/handlers/problems/own-cancel-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { ownCancellationResource } from '../../../shared/mappers/own-cancellation.ts';
import { cancelOwnTicket as operation } from '../../../shared/operations/tickets/cancel-own-ticket.ts';
import { cancelOwnTicket } from '../../../shared/sales/refunds/cancel-own-ticket.ts';

export const handle: Handle<typeof operation> = async ({ params, query, body }, deps) => {
  const { table, caller, clock, requestId, receipt } = deps;
  const { orgId } = caller;
  const [fan, found] = await Promise.all([
    authenticateFan(deps),
    findTicket(table, orgId, parseId(params.ticket_id) ?? 0),
  ]);
  if (found === undefined) throw notFound('ticket');
  const cancelled = await cancelOwnTicket(
    { table, orgId, clock, requestId },
    {
      ref: found.ref,
      ticketId: found.ticket.ticketId,
      fanId: fan.userId,
      dryRun: query.dry_run ?? body.dry_run ?? false,
    },
    (recorded) => receipt(ownCancellationResource(recorded)),
  );
  if ('refusal' in cancelled) throw ownCancelProblem(cancelled.refusal);
  return ownCancellationResource(cancelled);
};

export const handler = pipeline(operation, handle);
