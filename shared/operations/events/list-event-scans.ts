import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { countedEventListOf } from '../schemas/list-envelope.ts';
import { Scan } from '../schemas/scan.ts';
import { eventPath } from './event-path.ts';
import { timeRangeOf } from './time-range.ts';

const integer = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

export const listEventScans = defineOperation({
  id: 'list-event-scans',
  resource: 'events',
  summary: 'List the scans of an event',
  description: `Every reading of a barcode at the event, admitted or not, by the time of the reading, a page at a time. A reading that a
gate reports late stands at its own time. The response is compressed when the client accepts gzip; one that ends before its last
bracket is incomplete and must be asked for again.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/scans'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    params: eventPath,
    query: v.strictObject({
      page_number: v.optional(field(integer(1, 999_999_999), 'Which page, from 1.'), 1),
      limit: v.optional(field(integer(1, 2_500), 'How many scans a page has.'), 100),
      ...timeRangeOf('Only scans read'),
      include_sales: v.optional(field(v.boolean(), 'Adds tickets_sold of the price category to each scan.'), false),
    }),
  },
  output: { schema: countedEventListOf(Scan), streamed: true },
  effects: { access: { CNT: ['Query'], EVC: ['Query'], SCN: ['Query'] } },
});
