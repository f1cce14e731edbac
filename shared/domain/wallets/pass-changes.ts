import type { WebhookEventType } from '../webhooks/event-types.ts';

/**
 * The events after which a pass of a ticket or a member may show something else. `event.cancelled` is not one: its orders end one by one.
 * Another title of a membership type has no event, so cards show it after the next change of their member.
 */
export const passEventTypes = [
  'ticket.updated',
  'ticket.transferred',
  'order.refunded',
  'order.cancelled',
  'event.updated',
  'member.updated',
  'membership.lapsed',
] as const satisfies readonly WebhookEventType[];

/** The fields of an event that a pass shows, as `event.updated` names them. Other changes wake no phone. */
export const passEventFields: ReadonlySet<string> = new Set([
  'title',
  'utc_event_start_date',
  'timezone',
  'venue_id',
  'venue_name',
  'online_event',
]);
