import { offeredDocuments } from '../../shared/documents/offered-documents.ts';
import { orderPage } from '../../shared/documents/order-page.ts';
import { ticketFacts } from '../../shared/documents/ticket-facts.ts';
import { endedLinkPage } from '../../shared/documents/ticket-page.ts';
import { moneyText } from '../../shared/domain/money.ts';
import { organisationColour } from '../../shared/domain/organisations/colour.ts';
import { writtenTime } from '../../shared/domain/time/local-time.ts';
import { findLinkedOrder, verifyOrderLink } from '../../shared/http/handlers/callers/linked-order.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { routeWorker } from '../../shared/workers/route.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = routeWorker(async ({ params, query }) => {
  const link = await verifyOrderLink(query.token ?? '');
  if (link === undefined || params.order_id !== String(link.orderId)) return endedLinkPage();
  const nowUnix = unixSeconds(systemClock);
  const linked = await findLinkedOrder(workerTable(), link, nowUnix);
  if (linked === undefined) return endedLinkPage();
  const { organisation, order, event, givenAway } = linked;
  const tickets = linked.tickets.map(async ({ ticket, price, token }) => {
    const facts = ticketFacts(ticket, { organisation, event, price });
    const folder = `../../tickets/${ticket.ticketId}/`;
    return { facts, documents: await offeredDocuments(facts, { token, nowUnix, folder }) };
  });
  return orderPage({
    orderId: order.orderId,
    organisation: organisation.name,
    colour: organisationColour(organisation.backgroundColor),
    event: event.title,
    starts: writtenTime(event.startUnix, event.timezone).full,
    venue: event.venueName,
    status: order.status,
    isEventCancelled: event.cancelledUnix !== null,
    refunded: order.refundedMinor === 0 ? null : moneyText(order.refundedMinor, order.currency),
    givenAway,
    tickets: await Promise.all(tickets),
  });
});
