import { newDelivery, putDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import { readEnabledEndpoint } from '../../../shared/http/handlers/from-path/endpoint-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { deliveryResource } from '../../../shared/mappers/webhook-delivery.ts';
import { endpointResource } from '../../../shared/mappers/webhook-endpoint.ts';
import { testWebhookEndpoint } from '../../../shared/operations/webhooks/test-webhook-endpoint.ts';
import { newEventId } from '../../../shared/outbox/event-id.ts';
import { eventBody } from '../../../shared/outbox/outbox.ts';
import { sendDeliveries } from '../../../shared/webhooks/delivery-messages.ts';

export const handle: Handle<typeof testWebhookEndpoint> = async (
  { params },
  { caller, table, clock, requestId, receipt },
) => {
  const { orgId } = caller;
  const endpoint = await readEnabledEndpoint(table, orgId, params.webhook_endpoint_id);
  const { endpointId } = endpoint;
  const nowMs = clock.nowMs();
  const eventId = newEventId(nowMs);
  const type = 'webhook.test';
  // A test event is not in the feed, because nothing happened. The delivery itself contains the bytes.
  const body = eventBody(orgId, eventId, { type, data: { webhook_endpoint: endpointResource(endpoint) } }, nowMs);
  const delivery = newDelivery({ orgId, endpointId, eventId, type, body, requestId }, nowMs);
  await putDelivery(table, delivery, () => receipt(deliveryResource(delivery)));
  await sendDeliveries([{ orgId, endpointId, eventId, requestId, forced: true }]);
  return deliveryResource(delivery);
};

export const handler = pipeline(testWebhookEndpoint, handle);
