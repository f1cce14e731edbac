import { readOrderAt } from '../../../shared/data/orders/read.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { readTicketRules } from '../../../shared/data/prices/ticket-rules.ts';
import { ticketFacts } from '../../../shared/documents/ticket-facts.ts';
import { ticketsPdf } from '../../../shared/documents/ticket-pdf.ts';
import { isSold } from '../../../shared/domain/orders/order.ts';
import { FileOutput } from '../../../shared/http/file-output.ts';
import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem } from '../../../shared/http/problem.ts';
import { retrieveOrderPdf } from '../../../shared/operations/orders/retrieve-order-pdf.ts';

export const handle: Handle<typeof retrieveOrderPdf> = async ({ params, query }, { table, caller, clock }) => {
  const { orgId } = caller;
  const ref = await requireOrder(table, orgId, params.order_id);
  const [organisation, placed] = await Promise.all([readOrganisation(table, orgId), readOrderAt(table, orgId, ref)]);
  const tickets = placed.tickets.filter(isSold);
  // An order of memberships alone has no event either.
  if (tickets.length === 0) throw nothingToPrint();
  const indexes = tickets.map(({ priceIndex }) => priceIndex);
  const { event, prices } = await readTicketRules(table, orgId, ref.eventId, indexes);
  if (organisation === undefined || event === undefined) throw notFound('order');
  const [first, ...others] = tickets.map((ticket) => {
    const price = prices.find(({ index }) => index === ticket.priceIndex) ?? { barcodeFromHours: null };
    return { ...ticketFacts(ticket, { organisation, event, price }), barcode: ticket.barcode };
  });
  if (first === undefined) throw nothingToPrint();
  const bytes = await ticketsPdf([first, ...others], { nowMs: clock.nowMs(), layout: query.layout });
  return new FileOutput(bytes, `order-${placed.order.orderId}.pdf`);
};

const nothingToPrint = () => problem('ticket_not_active', 'This order has no valid ticket to print.');

export const handler = pipeline(retrieveOrderPdf, handle);
