import { type WebhookEventType, webhookEventTypes } from './event-types.ts';

/** A test event is sent directly to the requested endpoint, so its family needs no subscription. */
const families = [...new Set(webhookEventTypes.map((type) => type.slice(0, type.indexOf('.'))))]
  .filter((family) => family !== 'webhook')
  .map((family) => `${family}.*`);

/** What an endpoint can subscribe to: all events including future types, a family, or single types. */
export const allEvents = '*';
export const subscriptions: readonly string[] = [allEvents, ...families, ...webhookEventTypes];

export function isSubscribed(subscribed: readonly string[], type: WebhookEventType): boolean {
  return subscribed.some(
    (one) => one === allEvents || one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))),
  );
}
