import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { field, UnixBound } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { StoredWebhookEvent, WebhookEvent } from '../schemas/webhook-event.ts';

export const listWebhookEvents = defineOperation({
  id: 'list-webhook-events',
  resource: 'webhooks',
  summary: 'List what happened',
  description: `Every event of the last 30 days, oldest first, whether or not an endpoint was told of it: with this list a receiver can
prove that it missed nothing. It stays six seconds behind now, so that no event can appear before one that was already read.
To go on another day, ask for \`unix_start\` of a minute before the last event that you know, and drop what you have by its id.`,
  method: 'GET',
  paths: ['/v1/webhook_events'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    query: v.strictObject({
      unix_start: v.optional(field(UnixBound, 'Only events after this Unix second.')),
      unix_end: v.optional(field(UnixBound, 'Only events before this Unix second.')),
      limit: v.optional(
        field(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 'How many events a page holds at most.'),
        100,
      ),
      cursor: v.optional(
        field(v.string(), 'The next_cursor of the page before, with the same unix_start and unix_end.'),
      ),
    }),
  },
  output: {
    schema: cursorListOf('webhook_events', WebhookEvent),
    storedSchema: cursorListOf('webhook_events', StoredWebhookEvent),
    problems: ['cursor_invalid'],
  },
  effects: { access: { FEED: ['Query'] }, usesSecret: true },
});
