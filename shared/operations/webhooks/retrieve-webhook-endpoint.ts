import { webhookRowsAccess } from '../../data/webhooks/access.ts';
import { defineOperation } from '../operation.ts';
import { WebhookEndpoint } from '../schemas/webhook-endpoint.ts';
import { endpointParams } from './endpoint-params.ts';

export const retrieveWebhookEndpoint = defineOperation({
  id: 'retrieve-webhook-endpoint',
  resource: 'webhooks',
  summary: 'Retrieve a webhook endpoint',
  description: 'Returns one webhook endpoint of the organisation, without its secret.',
  method: 'GET',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}'],
  auth: { kind: 'metered', scope: 'read' },
  input: { params: endpointParams },
  output: { schema: WebhookEndpoint },
  effects: { access: [webhookRowsAccess.readEndpoint] },
});
