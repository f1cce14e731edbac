import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { Event } from '../schemas/event.ts';
import { field } from '../schemas/fields.ts';
import { organisationListOf } from '../schemas/list-envelope.ts';

const integer = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

export const listEvents = defineOperation({
  id: 'list-events',
  resource: 'events',
  summary: 'List all events',
  description: `The events of the organisation, the latest start first, a page at a time. A page that is asked
for within a minute of the page before it, with the same key, begins where that one ended: such a walk repeats and skips none
because others came or went. Any other page is counted from the beginning.`,
  method: 'GET',
  paths: ['/v1/events'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    query: v.strictObject({
      page_number: v.optional(field(integer(1, 999_999_999), 'Which page, from 1.'), 1),
      limit: v.optional(field(integer(1, 100), 'How many events a page has.'), 100),
      search: v.optional(
        field(
          v.pipe(v.string(), v.maxLength(1_000)),
          `Only events that every word of this text matches: it begins a word of their title, or it is their event_id, whole. Case
and accents do not matter.`,
        ),
      ),
      event_status_id: v.optional(
        field(
          v.picklist(['all', 0, 1, 2, 3]),
          '0 draft, 1 published, 2 deleted, 3 closed; all stands for 0, 1 and 3 together.',
        ),
        'all',
      ),
    }),
  },
  output: { schema: organisationListOf('events', Event) },
  effects: { access: { EVT: ['GetItem', 'Query'], EVV: ['Query'], ORG: ['GetItem'] } },
});
