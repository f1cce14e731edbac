import * as v from 'valibot';
import { outboxAccess } from '../../outbox/access.ts';
import { defineOperation } from '../operation.ts';
import { field, UnixBound } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { StoredWebhookEvent, WebhookEvent } from '../schemas/webhook-event.ts';

export const listWebhookEvents = defineOperation({
  id: 'list-webhook-events',
  resource: 'webhooks',
  summary: 'List all webhook events',
  description: `Returns the events of the last 30 days, oldest first, whether or not they were sent to an endpoint. Use this list to check
that a receiver has missed nothing. The list ends six seconds before now, so that no event can appear before one that you have
already read. To continue later, set \`unix_start\` to one minute before your last event, and discard the events whose id you already
have. If events after \`unix_start\` are no longer kept, the response is an error that says so: compare your copy with the lists
(\`updated_since\` of list-orders, list-members and list-customers), then go on from \`available_from\`.`,
  method: 'GET',
  paths: ['/v1/webhook_events'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    query: v.strictObject({
      unix_start: v.optional(
        field(
          UnixBound,
          'Only return events after this Unix time in seconds, at most 30 days ago; without it, all that are kept.',
        ),
      ),
      unix_end: v.optional(field(UnixBound, 'Only return events before this Unix time in seconds.')),
      limit: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
          'The maximum number of events per page.',
        ),
        100,
      ),
      cursor: v.optional(
        field(v.string(), 'The next_cursor of the previous page. Requires the same unix_start and unix_end.'),
      ),
    }),
  },
  output: {
    schema: cursorListOf('webhook_events', WebhookEvent),
    storedSchema: cursorListOf('webhook_events', StoredWebhookEvent),
    problems: ['cursor_invalid', 'events_expired'],
  },
  effects: { access: [outboxAccess.readFeed], secrets: ['cursors'] },
});
