import { transfersAccess } from '../../data/transfers/access.ts';
import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { Transfer } from '../schemas/transfer.ts';
import { ticketAccess, ticketPath } from './ticket-path.ts';

export const listTransfers = defineOperation({
  id: 'list-transfers',
  resource: 'tickets',
  summary: 'List the transfers of a ticket',
  description:
    'Returns the offers of the ticket, oldest first, in one response: to an API key those of all its holders, to a fan their own.',
  method: 'GET',
  paths: ['/v1/tickets/{ticket_id}/transfers'],
  auth: {
    kind: 'metered',
    scope: 'read',
    ssoUser: 'linked_on_pages',
    storefront: { sees: 'the offers of a ticket that the signed-in fan holds' },
  },
  input: { params: ticketPath },
  output: { schema: listOf('transfers', Transfer) },
  effects: { access: [...ticketAccess, transfersAccess.readTicketState] },
});
