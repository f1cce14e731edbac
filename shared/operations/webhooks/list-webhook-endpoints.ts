import { webhookRowsAccess } from '../../data/webhooks/access.ts';
import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { WebhookEndpoint } from '../schemas/webhook-endpoint.ts';

export const listWebhookEndpoints = defineOperation({
  id: 'list-webhook-endpoints',
  resource: 'webhooks',
  summary: 'List all webhook endpoints',
  description: 'Returns all webhook endpoints of the organisation, oldest first.',
  method: 'GET',
  paths: ['/v1/webhook_endpoints'],
  auth: { kind: 'metered', scope: 'read' },
  output: { schema: listOf('webhook_endpoints', WebhookEndpoint) },
  effects: { access: [webhookRowsAccess.listEndpoints] },
});
