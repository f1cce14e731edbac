import { defineOperation } from '../operation.ts';
import { WebhookDelivery } from '../schemas/webhook-delivery.ts';
import { deliveryParams } from './endpoint-params.ts';

export const redeliverWebhook = defineOperation({
  id: 'redeliver-webhook',
  resource: 'webhooks',
  summary: 'Deliver an event once more',
  description: `Sends the event at once, whatever became of it before, with the same webhook-id and all attempts of the schedule before it.
A delivery that is about to be sent anyway is left as it is.`,
  method: 'POST',
  paths: ['/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/redeliver'],
  auth: { kind: 'metered', scope: 'webhooks:write' },
  input: { params: deliveryParams },
  output: { schema: WebhookDelivery, problems: ['webhook_endpoint_disabled'] },
  effects: {
    access: { HOOK: ['GetItem'], DLV: ['GetItem', 'PutItem'], DUE: ['PutItem', 'DeleteItem'] },
    sends: ['deliveries'],
  },
});
