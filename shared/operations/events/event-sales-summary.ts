import * as v from 'valibot';
import { countersAccess } from '../../data/counters/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { maxPeriods, periodSizes } from '../../domain/time/periods.ts';
import { defineOperation } from '../operation.ts';
import { Count, field, UnixBound } from '../schemas/fields.ts';
import { summaryOf } from '../schemas/list-envelope.ts';
import { SalesPeriod, SalesSummaryRow } from '../schemas/sales-summary.ts';
import { eventPath } from './event-path.ts';
import { timeRangeOf } from './time-range.ts';

export const eventSalesSummary = defineOperation({
  id: 'event-sales-summary',
  resource: 'events',
  summary: 'Summarise the sales of an event',
  description: `Returns one row for each price of the event, in display order, including prices without sales. All rows are in one response.
Cancelled and refunded tickets are excluded: they are deducted at the time of their order, not of their cancellation.

With \`per\` the response also says what was sold and scanned over time, in as many \`periods\` as you ask for, and how many orders are confirmed: one request for a chart.
Days are those of the event's time zone, and a week is seven of them.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/sales_summary'],
  auth: { kind: 'metered', scope: 'read', orScope: 'catalogue:write' },
  input: {
    params: eventPath,
    query: v.strictObject({
      ...timeRangeOf('Only count orders placed'),
      per: v.optional(field(v.picklist(periodSizes), 'How long each of the `periods` is.')),
      periods: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxPeriods)),
          'How many periods there are, 14 if you leave it out. Only with per.',
        ),
      ),
      until_unix: v.optional(
        field(
          UnixBound,
          'The last period contains the second before this Unix time in seconds; now if you leave it out. Only with per.',
        ),
      ),
    }),
  },
  output: {
    schema: summaryOf(SalesSummaryRow, {
      confirmed_orders: v.optional(field(Count, 'The confirmed orders of the event, of any time. Only with `per`.')),
      periods: v.optional(field(v.array(SalesPeriod), 'The periods, the earliest first. Only with `per`.')),
    }),
  },
  effects: {
    access: [
      pricesAccess.readPricedEvent,
      countersAccess.readSales,
      countersAccess.readPeriods,
      ordersAccess.readPriceCounts,
    ],
  },
});
