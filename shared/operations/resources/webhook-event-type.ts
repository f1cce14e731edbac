import * as v from 'valibot';

export const WebhookEventType = v.picklist([
  'order.completed',
  'order.cancelled',
  'order.refunded',
  'member.created',
  'member.updated',
  'ticket.scanned',
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled',
  'webhook.test',
]);
export type WebhookEventType = v.InferOutput<typeof WebhookEventType>;
