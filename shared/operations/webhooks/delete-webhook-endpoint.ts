import * as v from 'valibot';
import { webhookRowsAccess } from '../../data/webhooks/access.ts';
import { defineOperation } from '../operation.ts';
import { field, resource } from '../schemas/fields.ts';
import { endpointParams } from './endpoint-params.ts';

export const deleteWebhookEndpoint = defineOperation({
  id: 'delete-webhook-endpoint',
  resource: 'webhooks',
  summary: 'Delete a webhook endpoint',
  description:
    'Deletes the endpoint and its delivery log. The service sends nothing more to it. To pause an endpoint, disable it instead.',
  method: 'DELETE',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: { params: endpointParams },
  output: {
    schema: resource('DeletedWebhookEndpoint', 'A deleted webhook endpoint.', {
      webhook_endpoint_id: field(v.string(), 'The id of the deleted endpoint.'),
      deleted: field(v.literal(true), 'Always true.'),
    }),
  },
  effects: { access: [webhookRowsAccess.deleteEndpoint], cannotBeUndone: false },
});
