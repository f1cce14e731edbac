import * as v from 'valibot';
import { webhookRowsAccess } from '../../data/webhooks/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { WebhookEndpoint } from '../schemas/webhook-endpoint.ts';
import { endpointFields } from './endpoint-fields.ts';
import { endpointParams } from './endpoint-params.ts';

export const updateWebhookEndpoint = defineOperation({
  id: 'update-webhook-endpoint',
  resource: 'webhooks',
  summary: 'Update a webhook endpoint',
  description: `Changes the fields that you send and leaves the others unchanged. A new \`url\`, or \`status\` set to enabled, clears earlier
failures, and waiting deliveries are sent immediately.`,
  method: 'PATCH',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: {
    params: endpointParams,
    body: v.pipe(
      v.strictObject({
        url: v.optional(endpointFields.url),
        types: v.optional(endpointFields.types),
        description: v.optional(endpointFields.description),
        max_rate_per_second: v.optional(endpointFields.max_rate_per_second),
        status: v.optional(
          field(
            v.picklist(['enabled', 'disabled']),
            'A disabled endpoint receives no events until it is enabled again.',
          ),
        ),
      }),
      v.minEntries(1, 'Send at least one field to change.'),
    ),
  },
  output: { schema: WebhookEndpoint, problems: ['parameter_missing'] },
  effects: { access: [webhookRowsAccess.changeEndpoint], sends: ['backlogs'], cannotBeUndone: false },
});

export type UpdateWebhookEndpointBody = v.InferOutput<(typeof updateWebhookEndpoint)['input']['body']>;
