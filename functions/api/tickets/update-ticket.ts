import { readLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import { requireTicket } from '../../../shared/http/handlers/from-path/ticket-from-path.ts';
import { nameProblem } from '../../../shared/http/handlers/problems/name-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ticketResource } from '../../../shared/mappers/ticket.ts';
import { updateTicket } from '../../../shared/operations/tickets/update-ticket.ts';
import { renameHolder } from '../../../shared/sales/tickets/rename-holder.ts';

export const handle: Handle<typeof updateTicket> = async ({ params, body }, deps) => {
  const { table, caller, clock, requestId } = deps;
  const [found, linkOf] = await Promise.all([requireTicket(deps, params.ticket_id), readLinks(deps)]);
  const { first_name, last_name } = body.holder;
  const name = `${first_name.trim()} ${last_name.trim()}`;
  const wanted = { name, fanId: found.fanId };
  const changed = await renameHolder({ table, orgId: caller.orgId, clock, requestId }, found, wanted);
  if ('refusal' in changed) throw nameProblem(changed.refusal);
  return ticketResource(found.shown(changed.ticket), found, linkOf(changed.ticket, found.event));
};

export const handler = pipeline(updateTicket, handle);
