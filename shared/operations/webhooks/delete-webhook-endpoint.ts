import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { field, resource } from '../schemas/fields.ts';
import { endpointParams } from './endpoint-params.ts';

export const deleteWebhookEndpoint = defineOperation({
  id: 'delete-webhook-endpoint',
  resource: 'webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'Nothing more is sent to it, and its delivery log is gone. To pause it, disable it instead.',
  method: 'DELETE',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: { params: endpointParams },
  output: {
    schema: resource('DeletedWebhookEndpoint', 'An endpoint that is no more.', {
      webhook_endpoint_id: field(v.string(), 'The id it had.'),
      deleted: field(v.literal(true), 'Always true.'),
    }),
  },
  effects: { access: { HOOK: ['DeleteItem', 'UpdateItem'], BRK: ['DeleteItem'], RPL: ['DeleteItem'] } },
});
