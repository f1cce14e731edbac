import * as v from 'valibot';
import { field, resource, UnixSeconds } from './fields.ts';
import { Subscription } from './webhook-endpoint.ts';

export const WebhookReplay = resource(
  'WebhookReplay',
  'Events of a stretch of time, on their way to an endpoint again.',
  {
    webhook_replay_id: field(v.string(), 'Names the replay.'),
    webhook_endpoint_id: field(v.string(), 'The endpoint that the events are sent to.'),
    unix_start: field(UnixSeconds, 'Events after this Unix second are sent.'),
    unix_end: field(UnixSeconds, 'Events before this Unix second are sent.'),
    types: field(v.array(Subscription), 'The types and families that are sent.'),
    created: field(UnixSeconds, 'When the replay was asked for, in Unix seconds.'),
  },
);
export type WebhookReplay = v.InferOutput<typeof WebhookReplay>;
