import { defineOperation } from '../operation.ts';
import { GooglePass } from '../schemas/google-pass.ts';
import { documentAuth, linkAccess, ticketAccess, ticketPath } from './ticket-path.ts';

export const retrieveTicketGooglePass = defineOperation({
  id: 'retrieve-ticket-google-pass',
  resource: 'tickets',
  summary: 'Add a ticket to Google Wallet',
  description: `Returns the address at which the holder adds the ticket to Google Wallet: a token that contains the pass, signed with the key of the platform's service
account. Before \`barcode_from_unix\` the response for a fan or a link is 409 \`barcode_not_yet\`. A service without such an account answers 409 \`wallet_not_configured\`; the PDF works without.`,
  method: 'GET',
  paths: ['/v1/tickets/{ticket_id}/google_pass'],
  auth: documentAuth,
  input: { params: ticketPath },
  output: {
    schema: GooglePass,
    problems: ['barcode_not_yet', 'ticket_not_active', 'wallet_not_configured'],
  },
  effects: { access: [...ticketAccess, ...linkAccess], secrets: ['links'], wallets: ['google'] },
  runtime: { concurrency: 20 },
});
