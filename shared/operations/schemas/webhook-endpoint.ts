import * as v from 'valibot';
import { maxRatePerSecond } from '../../domain/webhooks/endpoint.ts';
import { subscriptions } from '../../domain/webhooks/subscriptions.ts';
import { field, resource, UnixSeconds } from './fields.ts';

/** An event type, a family of types such as order.*, or * for all types. */
export const Subscription = v.picklist(subscriptions);
export const RatePerSecond = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxRatePerSecond));

const entries = {
  webhook_endpoint_id: field(v.string(), 'Unique identifier of the endpoint.'),
  url: field(v.pipe(v.string(), v.url()), 'The URL that receives events.'),
  types: field(
    v.array(Subscription),
    'The events that the endpoint receives: types, families such as order.*, or * for all events.',
  ),
  description: field(v.nullable(v.string()), 'A note for your own use; null if there is none.'),
  max_rate_per_second: field(RatePerSecond, 'The maximum number of deliveries per second.'),
  status: field(
    v.picklist(['enabled', 'disabled']),
    'A disabled endpoint receives no events until it is enabled again.',
  ),
  disabled_reason: field(v.nullable(v.string()), 'Why the endpoint is disabled; null if it is enabled.'),
  created: field(UnixSeconds, 'When the endpoint was created, in Unix seconds.'),
  updated_at: field(v.nullable(UnixSeconds), 'When the endpoint was last updated, in Unix seconds; null if never.'),
};

export const WebhookEndpoint = resource('WebhookEndpoint', 'A URL of the organisation that receives events.', entries);
export type WebhookEndpoint = v.InferOutput<typeof WebhookEndpoint>;

/** Only the responses that create a secret contain it. It cannot be retrieved later. */
export const WebhookEndpointWithSecret = resource(
  'WebhookEndpointWithSecret',
  'A webhook endpoint with its new secret. The secret is not shown again.',
  {
    ...entries,
    secret: field(
      v.nullable(v.pipe(v.string(), v.startsWith('whsec_'))),
      'The signing secret: whsec_ followed by base64; null if an Idempotency-Key returned a stored response.',
    ),
  },
);
export type WebhookEndpointWithSecret = v.InferOutput<typeof WebhookEndpointWithSecret>;
