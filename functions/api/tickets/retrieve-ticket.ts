import { readLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import { requireTicket } from '../../../shared/http/handlers/from-path/ticket-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ticketResource } from '../../../shared/mappers/ticket.ts';
import { retrieveTicket } from '../../../shared/operations/tickets/retrieve-ticket.ts';

export const handle: Handle<typeof retrieveTicket> = async ({ params }, deps) => {
  const [found, linkOf] = await Promise.all([requireTicket(deps, params.ticket_id), readLinks(deps)]);
  const { ticket, event } = found;
  return ticketResource(found.shown(ticket), found, linkOf(ticket, event));
};

export const handler = pipeline(retrieveTicket, handle);
