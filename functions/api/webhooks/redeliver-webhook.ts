import { redeliver as redeliverNow } from '../../../shared/data/webhooks/redeliver.ts';
import { readEnabledEndpoint } from '../../../shared/http/handlers/from-path/endpoint-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { deliveryResource, eventIdOfDelivery } from '../../../shared/mappers/webhook-delivery.ts';
import { redeliverWebhook } from '../../../shared/operations/webhooks/redeliver-webhook.ts';
import { traceOf } from '../../../shared/platform/request-trace.ts';
import { sendDeliveries } from '../../../shared/webhooks/delivery-messages.ts';

export const handle: Handle<typeof redeliverWebhook> = async (
  { params },
  { caller, table, clock, requestId, receipt },
) => {
  const { orgId } = caller;
  const { endpointId } = await readEnabledEndpoint(table, orgId, params.webhook_endpoint_id);
  const eventId = eventIdOfDelivery(params.delivery_id);
  const delivery =
    eventId === undefined
      ? undefined
      : await redeliverNow(table, { orgId, endpointId, eventId }, { nowMs: clock.nowMs(), requestId }, (again) =>
          receipt(deliveryResource(again)),
        );
  if (delivery === undefined) throw notFound('delivery');
  await sendDeliveries([{ orgId, endpointId, eventId: delivery.eventId, ...traceOf(delivery), forced: true }]);
  return deliveryResource(delivery);
};

export const handler = pipeline(redeliverWebhook, handle);
