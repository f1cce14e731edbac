import { defineOperation } from '../operation.ts';
import { File } from '../schemas/file.ts';
import { documentAuth, linkAccess, ticketAccess, ticketPath } from './ticket-path.ts';

export const retrieveTicketPdf = defineOperation({
  id: 'retrieve-ticket-pdf',
  resource: 'tickets',
  summary: 'Download a ticket as a PDF',
  description: `Returns one page to print or to keep: the organisation's name and colour, event, name, seat and a QR code that gates read. It has fonts for Latin,
Greek and Cyrillic letters; the page at the \`link\` of the ticket shows every script. Before \`barcode_from_unix\` the response for a fan or a link is 409 \`barcode_not_yet\`,
and for a cancelled or refunded ticket 409 \`ticket_not_active\`.`,
  method: 'GET',
  paths: ['/v1/tickets/{ticket_id}/pdf'],
  auth: documentAuth,
  input: { params: ticketPath },
  output: {
    schema: File,
    mediaType: 'application/pdf',
    streamed: true,
    problems: ['barcode_not_yet', 'ticket_not_active'],
  },
  effects: { access: [...ticketAccess, ...linkAccess], secrets: ['links'] },
  // Everyone with a link can call it, and a page takes a tenth of a second of work.
  runtime: { concurrency: 20 },
});
