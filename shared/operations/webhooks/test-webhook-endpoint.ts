import { webhookRowsAccess } from '../../data/webhooks/access.ts';
import { defineOperation } from '../operation.ts';
import { WebhookDelivery } from '../schemas/webhook-delivery.ts';
import { endpointParams } from './endpoint-params.ts';

export const testWebhookEndpoint = defineOperation({
  id: 'test-webhook-endpoint',
  resource: 'webhooks',
  summary: 'Send a test event to a webhook endpoint',
  description: `Sends a webhook.test event to this endpoint only, immediately, even while other deliveries to it wait. Returns the delivery;
its attempts appear in the delivery log.`,
  method: 'POST',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}/test'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: { params: endpointParams },
  output: { schema: WebhookDelivery, problems: ['webhook_endpoint_disabled'] },
  effects: {
    access: [webhookRowsAccess.readEndpoint, webhookRowsAccess.putDelivery],
    sends: ['deliveries'],
    cannotBeUndone: false,
  },
});
