import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { field, UnixBound } from '../schemas/fields.ts';
import { WebhookReplay } from '../schemas/webhook-replay.ts';
import { endpointFields } from './endpoint-fields.ts';
import { endpointParams } from './endpoint-params.ts';

export const replayWebhooks = defineOperation({
  id: 'replay-webhooks',
  resource: 'webhooks',
  summary: 'Deliver the events of a stretch of time once more',
  description: `Sends what happened in a stretch of the last 30 days to this endpoint, whether it was delivered before or not, in order, with
the same webhook-ids. It begins within a minute and goes at half the endpoint's pace, 3,000 a minute at most, so that what happens
meanwhile is not held up; the delivery log shows how far it is. An endpoint has one replay at a time.`,
  method: 'POST',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}/replay'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: {
    params: endpointParams,
    body: v.strictObject({
      unix_start: field(UnixBound, 'Only events after this Unix second.'),
      unix_end: v.optional(field(UnixBound, 'Only events before this Unix second; without it, up to now.')),
      types: v.optional(
        field(endpointFields.types, 'Only these types or families; without it, those that the endpoint is sent.'),
      ),
    }),
  },
  output: { schema: WebhookReplay, problems: ['webhook_endpoint_disabled', 'replay_in_progress'] },
  effects: { access: { HOOK: ['GetItem'], RPL: ['PutItem'], DUE: ['PutItem'] } },
});
