import * as v from 'valibot';
import { field, resource, UnixSeconds } from './fields.ts';
import { Subscription } from './webhook-endpoint.ts';

export const WebhookReplay = resource('WebhookReplay', 'A replay of the events of a time range to an endpoint.', {
  webhook_replay_id: field(v.string(), 'Unique identifier of the replay.'),
  webhook_endpoint_id: field(v.string(), 'The endpoint that receives the events.'),
  unix_start: field(UnixSeconds, 'Events after this Unix time in seconds are sent.'),
  unix_end: field(UnixSeconds, 'Events before this Unix time in seconds are sent.'),
  types: field(v.array(Subscription), 'The event types and families that are sent.'),
  created: field(UnixSeconds, 'When the replay was requested, in Unix seconds.'),
});
export type WebhookReplay = v.InferOutput<typeof WebhookReplay>;
