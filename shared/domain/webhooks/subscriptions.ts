import { type WebhookEventType, webhookEventTypes } from './event-types.ts';

/** A test event goes straight to the endpoint that asked for it, so nobody needs to ask for the family it is alone in. */
const families = [...new Set(webhookEventTypes.map((type) => type.slice(0, type.indexOf('.'))))]
  .filter((family) => family !== 'webhook')
  .map((family) => `${family}.*`);

/** What an endpoint may ask for: everything, also what is yet to come; a family; or single types. */
export const everything = '*';
export const subscriptions: readonly string[] = [everything, ...families, ...webhookEventTypes];

export function wants(asked: readonly string[], type: WebhookEventType): boolean {
  return asked.some(
    (one) => one === everything || one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))),
  );
}
