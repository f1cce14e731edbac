import { offeredDocuments } from '../../shared/documents/offered-documents.ts';
import { ticketFacts } from '../../shared/documents/ticket-facts.ts';
import { endedLinkPage, ticketPage } from '../../shared/documents/ticket-page.ts';
import { shownTicket } from '../../shared/domain/orders/shown-order.ts';
import { findLinkedTicket, verifyLink } from '../../shared/http/handlers/callers/linked-ticket.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { routeWorker } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = routeWorker(async ({ params, query }) => {
  const link = await verifyLink(query.token ?? '');
  if (link === undefined || params.ticket_id !== String(link.ticketId)) return endedLinkPage();
  const nowUnix = unixSeconds(systemClock);
  const linked = await findLinkedTicket(workerTable(), link, nowUnix);
  if (linked === undefined) return endedLinkPage();
  const facts = ticketFacts(shownTicket(linked.ticket, linked, nowUnix), linked);
  return ticketPage(facts, await offeredDocuments(facts, { token: query.token ?? '', nowUnix }));
});
