import { requireTicket } from '../../../shared/http/handlers/ticket-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ticketResource } from '../../../shared/mappers/ticket.ts';
import { retrieveTicket } from '../../../shared/operations/tickets/retrieve-ticket.ts';

export const handle: Handle<typeof retrieveTicket> = async ({ params }, deps) => {
  const found = await requireTicket(deps, params.ticket_id);
  return ticketResource(found.shown(found.ticket), found);
};

export const handler = pipeline(retrieveTicket, handle);
