import * as v from 'valibot';
import { countersAccess } from '../../data/counters/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { defineOperation } from '../operation.ts';
import { summaryOf } from '../schemas/list-envelope.ts';
import { SalesSummaryRow } from '../schemas/sales-summary.ts';
import { eventPath } from './event-path.ts';
import { timeRangeOf } from './time-range.ts';

export const eventSalesSummary = defineOperation({
  id: 'event-sales-summary',
  resource: 'events',
  summary: 'Summarise the sales of an event',
  description: `Returns one row for each price of the event, in display order, including prices without sales. All rows are in one response.
Cancelled and refunded tickets are excluded: they are deducted at the time of their order, not of their cancellation.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/sales_summary'],
  auth: { kind: 'metered', scope: 'read', orScope: 'catalogue:write' },
  input: { params: eventPath, query: v.strictObject(timeRangeOf('Only count orders placed')) },
  output: { schema: summaryOf(SalesSummaryRow) },
  effects: { access: [pricesAccess.readPricedEvent, countersAccess.readSales, ordersAccess.readPriceCounts] },
});
