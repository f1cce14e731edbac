import * as v from 'valibot';
import { memberLimits } from '../../domain/members/limits.ts';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { emailText } from '../schemas/text.ts';
import { OfferedTransfer } from '../schemas/transfer.ts';
import { ticketAccess, ticketPath } from './ticket-path.ts';

export const transferTicket = defineOperation({
  id: 'transfer-ticket',
  resource: 'tickets',
  summary: 'Offer a ticket to somebody else',
  description: `Offers the ticket to the person with this address, for seven days at most and never longer than the price allows (\`transfer_until_hours\`). The service
sends no mail: put \`accept_token\` into a link to your page, and send it to the person. Until the person accepts, the ticket stays as it is. \`ticket.transfer_offered\` follows, without the token.

Refused with a 409: a ticket of a price that cannot be given away (\`transfer_not_allowed\`), too late (\`transfer_closed\`), one that was scanned
(\`ticket_scanned\`), and one that is offered already (\`transfer_pending\`: cancel that offer first).`,
  method: 'POST',
  paths: ['/v1/tickets/{ticket_id}/transfers'],
  auth: {
    kind: 'metered',
    scope: 'orders:write',
    ssoUser: 'linked_on_pages',
    storefront: { sees: 'a ticket that the signed-in fan holds' },
  },
  input: {
    params: ticketPath,
    body: v.strictObject({
      email: field(emailText(memberLimits.emailAddress), 'Email address of the person who gets the ticket.'),
    }),
  },
  output: {
    status: 201,
    schema: OfferedTransfer,
    shownOnce: ['accept_token'],
    problems: ['ticket_not_active', 'ticket_scanned', 'transfer_not_allowed', 'transfer_closed', 'transfer_pending'],
    links: [{ to: 'accept-transfer', params: { transfer_id: '$response.body#/transfer_id' } }],
  },
  effects: {
    access: [...ticketAccess, salesAccess.offerTransfer],
    emits: ['ticket.transfer_offered'],
    cannotBeUndone: true,
  },
});
