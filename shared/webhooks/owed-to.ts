import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import { isSubscribed } from '../domain/webhooks/subscriptions.ts';
import { eventIdMs } from '../outbox/event-id.ts';
import type { EventReference } from '../outbox/outbox.ts';

/**
 * Returns the endpoints that must get an event that happened minutes ago: those that subscribe to it and existed then, unless
 * they were disabled before. The deliveries of one that was disabled since are kept for it.
 */
export function owedTo(
  endpoints: readonly EndpointRecord[],
  { eventId, type }: Pick<EventReference, 'eventId' | 'type'>,
): EndpointRecord[] {
  const happenedUnix = Math.floor(eventIdMs(eventId) / 1000);
  return endpoints.filter(
    ({ types, status, createdUnix, updatedUnix }) =>
      isSubscribed(types, type) &&
      createdUnix <= happenedUnix &&
      (status === 'enabled' || (updatedUnix ?? 0) >= happenedUnix),
  );
}
