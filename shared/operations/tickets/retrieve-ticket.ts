import { defineOperation } from '../operation.ts';
import { Ticket } from '../schemas/ticket.ts';
import { linkAccess, ticketAccess, ticketPath } from './ticket-path.ts';

export const retrieveTicket = defineOperation({
  id: 'retrieve-ticket',
  resource: 'tickets',
  summary: 'Retrieve a ticket',
  description: `Returns a ticket in any status. A fan sees the tickets that they hold; every other ticket looks like a missing one. For the fan,
\`barcode\` is null until \`barcode_from_unix\`.`,
  method: 'GET',
  paths: ['/v1/tickets/{ticket_id}'],
  auth: {
    kind: 'metered',
    scope: 'read',
    ssoUser: 'linked_on_pages',
    storefront: { sees: 'a ticket that the signed-in fan holds' },
  },
  input: { params: ticketPath },
  output: {
    schema: Ticket,
    links: [{ to: 'update-ticket', params: { ticket_id: '$request.path.ticket_id' } }],
  },
  effects: { access: [...ticketAccess, ...linkAccess], secrets: ['links'] },
});
