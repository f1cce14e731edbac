import * as v from 'valibot';
import { webhookRowsAccess } from '../../data/webhooks/access.ts';
import { defineOperation } from '../operation.ts';
import { field, UnixBound } from '../schemas/fields.ts';
import { WebhookReplay } from '../schemas/webhook-replay.ts';
import { endpointFields } from './endpoint-fields.ts';
import { endpointParams } from './endpoint-params.ts';

export const replayWebhooks = defineOperation({
  id: 'replay-webhooks',
  resource: 'webhooks',
  summary: 'Replay events to a webhook endpoint',
  description: `Sends the events of a time range in the last 30 days to this endpoint, the oldest first, whether or not they were delivered before,
with the same webhook-ids. As ever, some may arrive before older ones: \`timestamp\` says when each happened. The replay starts within a minute and runs at half the rate of the endpoint, at most 3,000 events per
minute, so that it does not delay new events. The delivery log shows its progress. An endpoint can have one replay at a time.`,
  method: 'POST',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}/replay'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: {
    params: endpointParams,
    body: v.strictObject({
      unix_start: field(UnixBound, 'Only send events after this Unix time in seconds.'),
      unix_end: v.optional(field(UnixBound, 'Only send events before this Unix time in seconds; defaults to now.')),
      types: v.optional(
        field(endpointFields.types, 'Only send these types or families; defaults to those of the endpoint.'),
      ),
    }),
  },
  output: {
    schema: WebhookReplay,
    problems: ['parameter_conflict', 'webhook_endpoint_disabled', 'replay_in_progress'],
  },
  effects: { access: [webhookRowsAccess.readEndpoint, webhookRowsAccess.startReplay], cannotBeUndone: false },
});
