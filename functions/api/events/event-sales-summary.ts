import { readPeriods } from '../../../shared/data/counters/periods.ts';
import { countOrders, readSales } from '../../../shared/data/counters/sales.ts';
import { lastPeriods } from '../../../shared/domain/time/periods.ts';
import { parseEventId, requirePricedEvent } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { salesPeriod, salesSummaryRows } from '../../../shared/mappers/event-stats.ts';
import { eventSalesSummary } from '../../../shared/operations/events/event-sales-summary.ts';

export const handle: Handle<typeof eventSalesSummary> = async ({ params, query }, { caller, clock, table }) => {
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const [pricedEvent, sales] = await Promise.all([
    requirePricedEvent(table, orgId, eventId),
    readSales(table, orgId, eventId, { after: query.unix_start, before: query.unix_end }),
  ]);
  const summary = { has_more: false, data: salesSummaryRows(pricedEvent, sales) };
  if (query.per === undefined) return summary;
  const { currency, timezone } = pricedEvent.event;
  const untilUnix = query.until_unix ?? Math.floor(clock.nowMs() / 1000) + 1;
  const periods = lastPeriods({ per: query.per, count: query.periods ?? 14, untilUnix }, timezone);
  const [orders, counted] = await Promise.all([
    countOrders(table, { orgId, eventId }, 'confirmed'),
    readPeriods(table, { orgId, eventId }, periods),
  ]);
  return { ...summary, confirmed_orders: orders, periods: counted.map((period) => salesPeriod(period, currency)) };
};

export const handler = pipeline(eventSalesSummary, handle);
