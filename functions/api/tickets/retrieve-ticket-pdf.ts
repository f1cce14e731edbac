import { ticketFacts } from '../../../shared/documents/ticket-facts.ts';
import { ticketsPdf } from '../../../shared/documents/ticket-pdf.ts';
import { FileOutput } from '../../../shared/http/file-output.ts';
import { verifyLink } from '../../../shared/http/handlers/callers/linked-ticket.ts';
import { requireDocument } from '../../../shared/http/handlers/from-path/ticket-document.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { livePlatform } from '../../../shared/http/platform.ts';
import { retrieveTicketPdf } from '../../../shared/operations/tickets/retrieve-ticket-pdf.ts';

export const handle: Handle<typeof retrieveTicketPdf> = async ({ params }, deps) => {
  const { ticket, ...shown } = await requireDocument(deps, params.ticket_id);
  const facts = { ...ticketFacts(ticket, shown), barcode: ticket.barcode };
  const bytes = await ticketsPdf([facts], { nowMs: deps.clock.nowMs() });
  return new FileOutput(bytes, `ticket-${ticket.ticketId}.pdf`);
};

export const handler = pipeline(retrieveTicketPdf, handle, { ...livePlatform(retrieveTicketPdf), verifyLink });
