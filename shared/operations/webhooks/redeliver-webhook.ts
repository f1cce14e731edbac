import { webhookRowsAccess } from '../../data/webhooks/access.ts';
import { defineOperation } from '../operation.ts';
import { StoredWebhookDelivery, WebhookDelivery } from '../schemas/webhook-delivery.ts';
import { deliveryParams } from './endpoint-params.ts';

export const redeliverWebhook = defineOperation({
  id: 'redeliver-webhook',
  resource: 'webhooks',
  summary: 'Redeliver an event',
  description: `Sends the event again immediately, whatever the status of its delivery, with the same webhook-id and a new retry schedule.
A delivery that is already queued does not change.`,
  method: 'POST',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/redeliver'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: { params: deliveryParams },
  output: { schema: WebhookDelivery, storedSchema: StoredWebhookDelivery, problems: ['webhook_endpoint_disabled'] },
  effects: {
    access: [webhookRowsAccess.readEndpoint, webhookRowsAccess.redeliver],
    sends: ['deliveries'],
    cannotBeUndone: false,
  },
});
