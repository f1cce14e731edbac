import * as v from 'valibot';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { Ticket } from '../schemas/ticket.ts';
import { linkAccess, ticketAccess } from './ticket-path.ts';
import { transferPath } from './transfer-path.ts';
import { holderNameFields } from './update-ticket.ts';

export const acceptTransfer = defineOperation({
  id: 'accept-transfer',
  resource: 'tickets',
  summary: 'Accept a ticket from somebody else',
  description: `Gives the ticket to the person who sends the \`accept_token\`: it gets a new barcode and the person's name, and the old barcode answers
\`transferred\` at every gate. A linked fan who sends their token in X-SSO-Token finds the ticket in list-sso-orders and holds it from then on; anyone else
keeps the response. The money stays the buyer's: a refund goes to the buyer and ends the ticket. \`ticket.transferred\` follows.

A wrong token looks like a missing transfer. A transfer that was accepted, cancelled or has expired is a 409 \`transfer_not_open\`.`,
  method: 'POST',
  paths: ['/v1/transfers/{transfer_id}/accept'],
  auth: {
    kind: 'metered',
    scope: 'orders:write',
    ssoUser: 'optional',
    storefront: { sees: 'the transfer whose accept_token it sends' },
  },
  input: {
    params: transferPath,
    body: v.strictObject({
      accept_token: field(text(200), 'The accept_token of the offer.'),
      ...holderNameFields,
    }),
  },
  output: {
    schema: Ticket,
    problems: [
      'sso_user_not_linked',
      'ticket_not_active',
      'ticket_scanned',
      'transfer_not_allowed',
      'transfer_closed',
      'transfer_not_open',
    ],
    links: [{ to: 'retrieve-ticket', params: { ticket_id: '$response.body#/ticket_id' } }],
  },
  effects: {
    access: [...ticketAccess, ...linkAccess, salesAccess.acceptTransfer],
    emits: ['ticket.transferred'],
    secrets: ['links'],
    cannotBeUndone: true,
  },
});
