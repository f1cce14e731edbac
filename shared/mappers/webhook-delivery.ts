import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import type { ReplayRecord } from '../data/webhooks/replays.ts';
import type { WebhookDelivery } from '../operations/schemas/webhook-delivery.ts';
import type { WebhookReplay } from '../operations/schemas/webhook-replay.ts';

/** There is one delivery for each endpoint and event, so its id is the event's id with another prefix. */
const [deliveryPrefix, eventPrefix] = ['dlv_', 'evt_'];

export function deliveryResource(delivery: DeliveryRecord): WebhookDelivery {
  const { eventId, nextMs } = delivery;
  return {
    delivery_id: deliveryPrefix + eventId.slice(eventPrefix.length),
    event_id: eventId,
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts.map(({ atUnix, statusCode, durationMs, outcome, response }) => ({
      at: atUnix,
      status_code: statusCode,
      duration_ms: durationMs,
      outcome,
      response,
    })),
    next_attempt_at: nextMs === null ? null : Math.ceil(nextMs / 1000),
    created: delivery.createdUnix,
  };
}

/** Returns the event id of a delivery id; undefined if the text cannot be a delivery id. */
export function eventIdOfDelivery(deliveryId: string): string | undefined {
  return /^dlv_[0-9A-Z]{26}$/.test(deliveryId) ? eventPrefix + deliveryId.slice(deliveryPrefix.length) : undefined;
}

export function replayResource(endpointId: string, replay: ReplayRecord): WebhookReplay {
  return {
    webhook_replay_id: replay.replayId,
    webhook_endpoint_id: endpointId,
    unix_start: replay.sinceMs / 1000 - 1,
    unix_end: replay.untilMs / 1000,
    types: replay.types,
    created: replay.createdUnix,
  };
}
