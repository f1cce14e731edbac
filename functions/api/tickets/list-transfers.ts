import { readTicketState } from '../../../shared/data/transfers/write.ts';
import { checkHeld, requireTicket } from '../../../shared/http/handlers/from-path/ticket-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { transferResource } from '../../../shared/mappers/transfer.ts';
import { listTransfers } from '../../../shared/operations/tickets/list-transfers.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof listTransfers> = async ({ params }, deps) => {
  const { table, caller, clock, baseUrl } = deps;
  const found = await requireTicket(deps, params.ticket_id);
  const { ticketId } = found.ticket;
  const { state } = await readTicketState(table, caller.orgId, found.ref, ticketId);
  if (state === undefined) throw notFound('ticket');
  checkHeld(found, state.ticket, state.placed.order);
  // Whom an earlier holder offered the ticket to is not the fan's business.
  const rows = found.fanId === undefined ? [...state.former, state.row] : [state.row];
  return {
    object: 'transfers',
    url: `${baseUrl}/v1/tickets/${ticketId}/transfers`,
    has_more: false,
    data: rows.flatMap(({ offers }) => offers).map((offer) => transferResource(ticketId, offer, unixSeconds(clock))),
  };
};

export const handler = pipeline(listTransfers, handle);
