import * as v from 'valibot';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { dryRunField, dryRunQuery } from '../schemas/dry-run.ts';
import { OwnCancellation } from '../schemas/own-cancellation.ts';
import { ticketAccess, ticketPath } from './ticket-path.ts';

export const cancelOwnTicket = defineOperation({
  id: 'cancel-own-ticket',
  resource: 'tickets',
  summary: 'Cancel a ticket as its buyer',
  description: `The signed-in buyer cancels a ticket on the terms that its price had when it was bought (\`self_cancel\`), and gets back what it cost less the share that stays with the
organisation. That share is rounded down to what can be returned in the currency. With \`dry_run\` the response says what comes back and until when, and nothing changes.

It is a refund with \`keep\`: the ticket is not admitted from this second on, within a minute the money is returned, the place goes to the waiting list or back on sale, and \`order.refunded\` follows;
\`order.refund_failed\` if the payment provider refuses: then the ticket is as it was. retrieve-ticket shows it as active until the money is returned, so keep the response. What was paid at the counter waits as \`to_return\` until your staff hand it over; of an invoice, what is owed is written off first.

Refused with a 409: a ticket without such terms (\`self_cancel_not_allowed\`), after the hour (\`self_cancel_closed\`), scanned (\`ticket_scanned\`), given away (\`ticket_given_away\`) or offered to somebody
(\`transfer_pending\`), of a cancelled event (\`event_cancelled\`), with a refund under way (\`refund_in_progress\`), refunded (\`ticket_already_refunded\`) or cancelled (\`ticket_not_active\`) already.`,
  method: 'POST',
  paths: ['/v1/tickets/{ticket_id}/cancel'],
  auth: {
    kind: 'metered',
    scope: 'orders:write',
    ssoUser: 'linked',
    storefront: { sees: 'a ticket that the signed-in fan has bought' },
  },
  input: { params: ticketPath, query: dryRunQuery, body: v.strictObject(dryRunField) },
  output: {
    schema: OwnCancellation,
    problems: [
      'resource_not_found',
      'self_cancel_not_allowed',
      'self_cancel_closed',
      'ticket_scanned',
      'ticket_given_away',
      'transfer_pending',
      'event_cancelled',
      'refund_in_progress',
      'ticket_already_refunded',
      'ticket_not_active',
    ],
  },
  effects: {
    access: [...ticketAccess, salesAccess.cancelOwnTicket],
    emits: ['order.refunded', 'order.refund_failed'],
    cannotBeUndone: true,
  },
});
