import { defineOperation } from '../operation.ts';
import { File } from '../schemas/file.ts';
import { documentAuth, linkAccess, ticketAccess, ticketPath } from './ticket-path.ts';

export const retrieveTicketApplePass = defineOperation({
  id: 'retrieve-ticket-apple-pass',
  resource: 'tickets',
  summary: 'Add a ticket to Apple Wallet',
  description: `Returns the ticket as a pass, signed with the certificate of the platform. An iPhone opens it at once. A moved event, another seat or name, a refund or a transfer reaches
the pass: phones are told, and fetch it. Before \`barcode_from_unix\` the response for a fan or a link is 409 \`barcode_not_yet\`. A service without a certificate answers 409 \`wallet_not_configured\`;
the PDF works without.`,
  method: 'GET',
  paths: ['/v1/tickets/{ticket_id}/apple_pass'],
  auth: documentAuth,
  input: { params: ticketPath },
  output: {
    schema: File,
    mediaType: 'application/vnd.apple.pkpass',
    streamed: true,
    problems: ['barcode_not_yet', 'ticket_not_active', 'wallet_not_configured'],
  },
  effects: { access: [...ticketAccess, ...linkAccess], secrets: ['links'], wallets: ['apple'], namesAddress: true },
  runtime: { concurrency: 20 },
});
