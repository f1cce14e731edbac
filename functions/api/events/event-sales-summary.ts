import { readSales } from '../../../shared/data/counters/sales.ts';
import { parseEventId, requirePricedEvent } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { salesSummaryRows } from '../../../shared/mappers/event-stats.ts';
import { eventSalesSummary } from '../../../shared/operations/events/event-sales-summary.ts';

export const handle: Handle<typeof eventSalesSummary> = async ({ params, query }, { caller, table }) => {
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const [pricedEvent, sales] = await Promise.all([
    requirePricedEvent(table, orgId, eventId),
    readSales(table, orgId, eventId, { after: query.unix_start, before: query.unix_end }),
  ]);
  return { has_more: false, data: salesSummaryRows(pricedEvent, sales) };
};

export const handler = pipeline(eventSalesSummary, handle);
