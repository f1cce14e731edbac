import { webhookRowsAccess } from '../../data/webhooks/access.ts';
import { defineOperation } from '../operation.ts';
import { WebhookEndpointWithSecret } from '../schemas/webhook-endpoint.ts';
import { endpointParams } from './endpoint-params.ts';

export const rotateWebhookSecret = defineOperation({
  id: 'rotate-webhook-secret',
  resource: 'webhooks',
  summary: 'Rotate the secret of a webhook endpoint',
  description: `Creates a new signing secret. This response is the only one that contains it. For 24 hours after it was replaced, deliveries also carry
a signature with a former secret, so that the receiver can switch at any time. That also holds if you rotate again within 24 hours, for ten
secrets at the most. If a secret has leaked, delete the endpoint and create another one.`,
  method: 'POST',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: { params: endpointParams },
  output: { schema: WebhookEndpointWithSecret, shownOnce: ['secret'] },
  effects: { access: [webhookRowsAccess.changeEndpoint], secrets: ['webhooks'], cannotBeUndone: false },
});
