/** By this the rules of the bus know our events from whatever else may come. */
export const eventSource = 'gateline';

/** What can happen that an organisation is told of. The word before the dot is the family. */
export const webhookEventTypes = [
  'order.completed',
  'order.cancelled',
  'order.refunded',
  'member.created',
  'member.updated',
  'ticket.scanned',
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled',
  'webhook.test',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];
