import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { summaryOf } from '../schemas/list-envelope.ts';
import { SalesSummaryRow } from '../schemas/sales-summary.ts';
import { eventPath } from './event-path.ts';
import { timeRangeOf } from './time-range.ts';

export const eventSalesSummary = defineOperation({
  id: 'event-sales-summary',
  resource: 'events',
  summary: 'Sum up the sales of an event',
  description: `One row for each price of the event, in the order in which they are offered, those without sales too; all of them come in
one response. What was cancelled or refunded is left out, and counted off in the time in which it was ordered.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/sales_summary'],
  auth: { kind: 'metered', scope: 'read' },
  input: { params: eventPath, query: v.strictObject(timeRangeOf('Only orders placed')) },
  output: { schema: summaryOf(SalesSummaryRow) },
  effects: { access: { CNT: ['Query'], EVC: ['Query'], ORD: ['Query'] } },
});
