import * as v from 'valibot';
import { countersAccess } from '../../data/counters/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { scansAccess } from '../../data/scans/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { countedEventListOf } from '../schemas/list-envelope.ts';
import { numberedPages } from '../schemas/numbered-pages.ts';
import { Scan } from '../schemas/scan.ts';
import { eventPath } from './event-path.ts';
import { timeRangeOf } from './time-range.ts';

export const listEventScans = defineOperation({
  id: 'list-event-scans',
  resource: 'events',
  summary: 'List the scans of an event',
  description: `Returns the scans at the event, admitted or refused, sorted by scan time, the oldest first, page by page. A scan that a gate reports late is
sorted by its own time. The response is compressed if the client accepts gzip. A response that ends before its closing bracket is
incomplete: request it again.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/scans'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    params: eventPath,
    query: v.strictObject({
      ...numberedPages('scans', { most: 2_500, usual: 100 }),
      ...timeRangeOf('Only return scans made'),
      include_sales: v.optional(
        field(v.boolean(), 'If true, each scan includes tickets_sold of its price category.'),
        false,
      ),
    }),
  },
  output: { schema: countedEventListOf(Scan), streamed: true },
  effects: {
    access: [
      pricesAccess.readEventWithCategories,
      pricesAccess.readPriceList,
      scansAccess.listScans,
      countersAccess.countScans,
      countersAccess.readSales,
    ],
  },
  // A streamed response may last for minutes.
  runtime: { concurrency: 20 },
});
