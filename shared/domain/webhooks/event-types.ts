/** The `source` of our events on the bus. The rules of the bus match it. */
export const eventSource = 'gateline';

/** The types of events that are sent to webhook endpoints. The word before the dot is the family. */
export const webhookEventTypes = [
  'order.completed',
  'order.cancelled',
  'order.refunded',
  'order.refund_failed',
  'order.payment_recorded',
  'order.disputed',
  'member.created',
  'member.updated',
  'membership.renewed',
  'membership.renewal_due',
  'membership.lapsed',
  'membership.cancelled',
  'instalment.paid',
  'instalment.failed',
  'instalment.action_required',
  'ticket.scanned',
  'ticket.updated',
  'ticket.transfer_offered',
  'ticket.transferred',
  'event.created',
  'event.updated',
  'price.updated',
  'event.cancelled',
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled',
  'webhook.test',
  'waiting_list.joined',
  'waiting_list.offered',
  'waiting_list.expired',
  'customer.erased',
  'document.issued',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];
