import { defineOperation } from '../operation.ts';
import { WebhookEndpointWithSecret } from '../schemas/webhook-endpoint.ts';
import { endpointParams } from './endpoint-params.ts';

export const rotateWebhookSecret = defineOperation({
  id: 'rotate-webhook-secret',
  resource: 'webhooks',
  summary: 'Rotate the secret of a webhook endpoint',
  description: `Makes a new secret and shows it, this once. For 24 hours deliveries carry a signature of the former secret too, so that
the receiver can change over at any moment of that day. A further rotation within it ends the former secret at once.`,
  method: 'POST',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: { params: endpointParams },
  output: { schema: WebhookEndpointWithSecret, shownOnce: ['secret'] },
  effects: { access: { HOOK: ['GetItem', 'PutItem'] }, usesSecret: true },
});
