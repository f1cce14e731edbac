import * as v from 'valibot';
import { Count, field, resource, UnixSeconds } from './fields.ts';
import { WebhookEventType } from './webhook-event-type.ts';

const entries = {
  webhook_endpoint_id: field(v.string(), 'Names the endpoint in every path below /v1/webhook_endpoints.'),
  url: field(v.pipe(v.string(), v.url()), 'Where events are posted to.'),
  types: field(v.array(WebhookEventType), 'The types of event that are sent here.'),
  description: field(v.nullable(v.string()), "A note of the organisation's own; null when there is none."),
  max_rate_per_second: field(v.pipe(Count, v.minValue(1)), 'The most deliveries that are started in a second.'),
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
    secret: field(v.pipe(v.string(), v.startsWith('whsec_')), 'The key of the signatures: whsec_ and base64.'),
  },
);
export type WebhookEndpointWithSecret = v.InferOutput<typeof WebhookEndpointWithSecret>;
