import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { WebhookEndpoint } from '../schemas/webhook-endpoint.ts';

export const listWebhookEndpoints = defineOperation({
  id: 'list-webhook-endpoints',
  resource: 'webhooks',
  summary: 'List all webhook endpoints',
  description: 'All endpoints of the organisation, the oldest first.',
  method: 'GET',
  paths: ['/v1/webhook_endpoints'],
  effect: 'read',
  door: { kind: 'counted', scope: 'read' },
  status: 200,
  response: listOf('webhook_endpoints', WebhookEndpoint),
  access: { HOOK: ['Query'] },
});
