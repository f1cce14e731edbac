import { offeredDocuments } from '../../shared/documents/offered-documents.ts';
import { orderPage } from '../../shared/documents/order-page.ts';
import { ticketFacts } from '../../shared/documents/ticket-facts.ts';
import { endedLinkPage } from '../../shared/documents/ticket-page.ts';
import { asLine, writingIn } from '../../shared/documents/writing.ts';
import { organisationColour } from '../../shared/domain/organisations/colour.ts';
import { findLinkedOrder, verifyOrderLink } from '../../shared/http/handlers/callers/linked-order.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { routeWorker } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = routeWorker(async ({ params, query, header }) => {
  const link = await verifyOrderLink(query.token ?? '');
  const ended = () => endedLinkPage(header('accept-language'));
  if (link === undefined || params.order_id !== String(link.orderId)) return ended();
  const nowUnix = unixSeconds(systemClock);
  const linked = await findLinkedOrder(workerTable(), link, nowUnix);
  if (linked === undefined) return ended();
  const { organisation, order, event, givenAway } = linked;
  const { locale } = organisation;
  const { dateTime, money } = writingIn(locale);
  const tickets = linked.tickets.map(async ({ ticket, price, token }) => {
    const facts = ticketFacts(ticket, { organisation, event, price });
    const folder = `../../tickets/${ticket.ticketId}/`;
    return { facts, documents: await offeredDocuments(facts, { token, nowUnix, folder }) };
  });
  return orderPage({
    orderId: order.orderId,
    locale,
    organisation: organisation.name,
    colour: organisationColour(organisation.backgroundColor),
    event: event.title,
    starts: asLine(dateTime(event.startUnix, event.timezone), locale),
    venue: event.venueName,
    status: order.status,
    isEventCancelled: event.cancelledUnix !== null,
    refunded: order.refundedMinor === 0 ? null : money(order.refundedMinor, order.currency),
    givenAway,
    tickets: await Promise.all(tickets),
  });
});
