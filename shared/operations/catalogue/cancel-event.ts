import * as v from 'valibot';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { salesAccess } from '../../sales/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { Job } from '../schemas/job.ts';
import { text } from '../schemas/text.ts';

export const cancelEvent = defineOperation({
  id: 'cancel-event',
  resource: 'catalogue',
  summary: 'Cancel an event',
  description: `Closes the event for ever, announces \`event.cancelled\`, and begins a job that refunds its orders, or cancels their tickets. The
response is the job; retrieve-job shows its progress and what failed.

From this moment on nothing is sold, and gates admit nobody: adding items and checking out are 409 \`event_not_on_sale\`, record-scan is 409
\`event_not_open\`. Baskets that are open expire as always. A buyer who was paying at that moment gets the order and its refund together.

With \`refund=all\` every order is refunded as refund-order does it, each once, ten a second at most: a few orders take about 20 seconds, 10,000 about half an hour.
This includes orders that were cancelled before with the money kept: their buyers get it back. It needs the scope \`orders:write\` too. With
\`refund=none\` tickets are cancelled and the money stays; orders can be refunded later, one by one. \`order.refunded\`,
\`order.refund_failed\` or \`order.cancelled\` follow for each order.

A repeated request returns the same job. With another \`refund\` than the first one it is a 409 \`event_already_cancelled\`.`,
  method: 'POST',
  paths: ['/v1/events/{event_id}/cancel'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: eventPath,
    body: v.strictObject({
      refund: field(
        v.picklist(['all', 'none']),
        'Whether the orders are refunded (`all`), or their tickets are cancelled and the money stays (`none`).',
      ),
      reason: v.optional(
        field(
          v.nullable(text(500)),
          'Why the event is cancelled, such as Storm. It is shown in every refund and in event.cancelled, so name no person.',
        ),
        null,
      ),
    }),
  },
  output: {
    status: 202,
    schema: Job,
    isStored: false,
    problems: ['event_already_cancelled', 'event_not_open'],
    links: [{ to: 'retrieve-job', params: { job_id: '$response.body#/job_id' } }],
  },
  effects: {
    access: [salesAccess.cancelEvent, organisationsAccess.readOrganisation],
    emits: ['event.cancelled'],
    cannotBeUndone: true,
  },
});
