import { offeredDocuments } from '../../shared/documents/offered-documents.ts';
import { ticketFacts } from '../../shared/documents/ticket-facts.ts';
import { cancelledEventPage, endedLinkPage, ticketPage } from '../../shared/documents/ticket-page.ts';
import { shownTicket } from '../../shared/domain/orders/shown-order.ts';
import { hasLink } from '../../shared/domain/orders/ticket-link.ts';
import { findTicketOfHolder, verifyLink } from '../../shared/http/handlers/callers/linked-ticket.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { routeWorker } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = routeWorker(async ({ params, query, header }) => {
  const link = await verifyLink(query.token ?? '');
  const ended = () => endedLinkPage(header('accept-language'));
  if (link === undefined || params.ticket_id !== String(link.ticketId)) return ended();
  const nowUnix = unixSeconds(systemClock);
  const linked = await findTicketOfHolder(workerTable(), link);
  if (linked === undefined) return ended();
  if (linked.event.cancelledUnix !== null) return cancelledEventPage(linked);
  if (!hasLink(linked.ticket, linked.event, nowUnix)) return ended();
  const facts = ticketFacts(shownTicket(linked.ticket, linked, nowUnix), linked);
  return ticketPage(facts, await offeredDocuments(facts, { token: query.token ?? '', nowUnix }));
});
