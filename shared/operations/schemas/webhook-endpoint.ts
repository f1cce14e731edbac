import * as v from 'valibot';
import { maxRatePerSecond } from '../../domain/webhooks/endpoint.ts';
import { subscriptions } from '../../domain/webhooks/subscriptions.ts';
import { field, resource, UnixSeconds } from './fields.ts';

/** A type of event, a family of types such as order.*, or * for everything. */
export const Subscription = v.picklist(subscriptions);
export const RatePerSecond = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxRatePerSecond));

const entries = {
  webhook_endpoint_id: field(v.string(), 'Names the endpoint in every path below /v1/webhook_endpoints.'),
  url: field(v.pipe(v.string(), v.url()), 'Where events are posted to.'),
  types: field(
    v.array(Subscription),
    'What is sent here: types of event, families such as order.*, or * for everything.',
  ),
  description: field(v.nullable(v.string()), "A note of the organisation's own; null when there is none."),
  max_rate_per_second: field(RatePerSecond, 'The most deliveries that are started in a second.'),
  status: field(v.picklist(['enabled', 'disabled']), 'A disabled endpoint is sent nothing until it is enabled again.'),
  disabled_reason: field(v.nullable(v.string()), 'Why it is disabled; null while it is enabled.'),
  created: field(UnixSeconds, 'When the endpoint was registered, in Unix seconds.'),
  updated_at: field(v.nullable(UnixSeconds), 'When its settings last changed, in Unix seconds; null until then.'),
};

export const WebhookEndpoint = resource(
  'WebhookEndpoint',
  'An address of the organisation that events are sent to.',
  entries,
);
export type WebhookEndpoint = v.InferOutput<typeof WebhookEndpoint>;

/** Only the answers that make a secret show it; it cannot be read again. */
export const WebhookEndpointWithSecret = resource(
  'WebhookEndpointWithSecret',
  'An endpoint just created, or given a new secret. The secret is shown this once.',
  {
    ...entries,
    secret: field(
      v.nullable(v.pipe(v.string(), v.startsWith('whsec_'))),
      'The key of the signatures: whsec_ and base64; null when an Idempotency-Key brings the answer again.',
    ),
  },
);
export type WebhookEndpointWithSecret = v.InferOutput<typeof WebhookEndpointWithSecret>;
