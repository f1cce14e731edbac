import * as v from 'valibot';
import { deliveryStatuses } from '../../domain/webhooks/delivery.ts';
import { Count, field, Integer, resource, UnixSeconds } from './fields.ts';
import { WebhookEventType } from './webhook-event-type.ts';

export const WebhookAttempt = resource('WebhookAttempt', 'One attempt to send an event to an endpoint.', {
  at: field(UnixSeconds, 'When the attempt started, in Unix seconds.'),
  status_code: field(
    v.nullable(Integer),
    'HTTP status of the response; null if there was none. Only 200 acknowledges an event.',
  ),
  duration_ms: field(Count, 'Duration of the attempt, in milliseconds.'),
  outcome: field(v.string(), 'Result of the attempt; for a failure, the reason.'),
  response: field(
    v.nullable(v.string()),
    'Start of the response body, of a failed attempt only; null if there is none, and after the erasure of a person whom the event is about.',
  ),
});
export type WebhookAttempt = v.InferOutput<typeof WebhookAttempt>;

export const WebhookDelivery = resource(
  'WebhookDelivery',
  'The delivery of one event to one endpoint, with all its attempts.',
  {
    delivery_id: field(v.string(), 'Unique identifier of the delivery.'),
    event_id: field(v.string(), 'Id of the event, sent in the webhook-id header of every attempt.'),
    type: field(WebhookEventType, 'Type of the event.'),
    status: field(
      v.picklist(deliveryStatuses),
      'A queued delivery is about to be sent. A waiting one failed and will be retried. A parked one waits until the endpoint recovers or its rate allows it. A dead one failed for good; you can redeliver it.',
    ),
    attempts: field(v.array(WebhookAttempt), 'All attempts, oldest first.'),
    next_attempt_at: field(
      v.nullable(UnixSeconds),
      'When the next attempt is due, in Unix seconds; null if none is scheduled.',
    ),
    created: field(UnixSeconds, 'When the delivery was created, in Unix seconds.'),
  },
);
/** A delivery as it was stored. A later release may have stored an event of a type that this one does not know. */
export const StoredWebhookDelivery = resource('StoredWebhookDelivery', 'A delivery, as it was stored.', {
  ...WebhookDelivery.entries,
  type: v.string(),
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;
