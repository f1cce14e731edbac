import * as v from 'valibot';
import type { WebhookEventType } from '../../domain/webhooks/event-types.ts';
import { field, IsoTimestamp, resource } from './fields.ts';

/** What every event has. */
export const envelope = {
  id: field(
    v.string(),
    'Unique identifier of the event, the same on every attempt and in the webhook-id header. Use it to discard duplicates.',
  ),
  timestamp: field(IsoTimestamp, 'When the change was written, ISO 8601.'),
  org_id: field(v.string(), 'The organisation of the event.'),
};

/** The schema of an event: the envelope, and the data of its type. */
export function webhookEvent<const Type extends WebhookEventType, const Data extends v.ObjectEntries>(
  type: Type,
  title: string,
  description: string,
  data: Data,
) {
  return resource(title, description, {
    id: envelope.id,
    type: field(v.literal(type), 'Type of the event.'),
    timestamp: envelope.timestamp,
    org_id: envelope.org_id,
    data: field(v.strictObject(data), 'The objects that the event is about.'),
  });
}
