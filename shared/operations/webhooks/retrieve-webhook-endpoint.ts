import { defineOperation } from '../operation.ts';
import { WebhookEndpoint } from '../schemas/webhook-endpoint.ts';
import { endpointParams } from './endpoint-params.ts';

export const retrieveWebhookEndpoint = defineOperation({
  id: 'retrieve-webhook-endpoint',
  resource: 'webhooks',
  summary: 'Retrieve a webhook endpoint',
  description: 'One endpoint of the organisation. Its secret is not shown again.',
  method: 'GET',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}'],
  effect: 'read',
  door: { kind: 'counted', scope: 'read' },
  params: endpointParams,
  status: 200,
  response: WebhookEndpoint,
  access: { HOOK: ['GetItem'] },
});
