import * as v from 'valibot';
import { salesAccess } from '../../sales/access.ts';
import { maxHolderName } from '../baskets/holder-fields.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { printedName } from '../schemas/text.ts';
import { Ticket } from '../schemas/ticket.ts';
import { linkAccess, ticketAccess, ticketPath } from './ticket-path.ts';

/** The name that a ticket gets. */
export const holderNameFields = {
  first_name: field(printedName(maxHolderName), 'Given name of the holder.'),
  last_name: field(printedName(maxHolderName), 'Family name of the holder.'),
};

export const updateTicket = defineOperation({
  id: 'update-ticket',
  resource: 'tickets',
  summary: 'Change the name on a ticket',
  description: `Gives the ticket another name. A fan may do so until \`names_until_unix\`, the \`names_until_hours\` of its price before the start; later the
response is 409 \`names_closed\`. An API key may do so until a gate has scanned the ticket: 409 \`ticket_scanned\`. The barcode and the rights of the holder stay. \`ticket.updated\` follows. A cancelled or refunded ticket is a 409 \`ticket_not_active\`.`,
  method: 'PATCH',
  paths: ['/v1/tickets/{ticket_id}'],
  auth: {
    kind: 'metered',
    scope: 'orders:write',
    ssoUser: 'linked_on_pages',
    storefront: { sees: 'a ticket that the signed-in fan holds' },
  },
  input: {
    params: ticketPath,
    body: v.strictObject({
      holder: field(v.strictObject(holderNameFields), 'The person that the ticket is for.'),
    }),
  },
  output: { schema: Ticket, problems: ['names_closed', 'ticket_scanned', 'ticket_not_active'] },
  effects: {
    access: [...ticketAccess, ...linkAccess, salesAccess.renameHolder],
    emits: ['ticket.updated'],
    secrets: ['links'],
    cannotBeUndone: false,
  },
});
