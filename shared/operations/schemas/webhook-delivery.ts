import * as v from 'valibot';
import { deliveryStatuses } from '../../domain/webhooks/delivery.ts';
import { Count, field, Integer, resource, UnixSeconds } from './fields.ts';
import { WebhookEventType } from './webhook-event-type.ts';

export const WebhookAttempt = resource('WebhookAttempt', 'One try to hand an event to an endpoint.', {
  at: field(UnixSeconds, 'When it began, in Unix seconds.'),
  status_code: field(
    v.nullable(Integer),
    'HTTP status of the answer, of which only 200 acknowledges; null without an answer.',
  ),
  duration_ms: field(Count, 'How long it took, in milliseconds.'),
  outcome: field(v.string(), 'What became of it; for a failure, the reason.'),
  response: field(v.nullable(v.string()), "Beginning of the answer's body; null without one."),
});
export type WebhookAttempt = v.InferOutput<typeof WebhookAttempt>;

export const WebhookDelivery = resource(
  'WebhookDelivery',
  'One event on its way to one endpoint, with every attempt.',
  {
    delivery_id: field(v.string(), 'The id to redeliver with.'),
    event_id: field(v.string(), 'Id of the webhook event, sent in the header webhook-id on every attempt.'),
    type: field(WebhookEventType, 'Type of that event.'),
    status: field(
      v.picklist(deliveryStatuses),
      'queued: about to be sent. waiting: failed, to be tried again. parked: in line until the endpoint can take it. dead: given up, can be redelivered.',
    ),
    attempts: field(v.array(WebhookAttempt), 'Oldest first; empty until the first one ends.'),
    next_attempt_at: field(
      v.nullable(UnixSeconds),
      'When it is tried next, in Unix seconds; null when no time is set.',
    ),
    created: field(UnixSeconds, 'When the delivery was made, in Unix seconds.'),
  },
);
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;
