import { readSales } from '../../../shared/data/counters/sales.ts';
import { readAttended } from '../../../shared/data/counters/scans.ts';
import { parseEventId, requirePricedEvent } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { priceCategoryStats } from '../../../shared/mappers/event-stats.ts';
import { eventStatsByPriceCategory } from '../../../shared/operations/events/event-stats-by-price-category.ts';

export const handle: Handle<typeof eventStatsByPriceCategory> = async ({ params, query }, { caller, table }) => {
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const [priceList, sales, attended] = await Promise.all([
    requirePricedEvent(table, orgId, eventId),
    readSales(table, orgId, eventId),
    readAttended(table, orgId, eventId),
  ]);
  const data = priceCategoryStats({ ...priceList, sales, attended, includeCancelled: query.include_cancelled });
  return { event_id: String(eventId), data };
};

export const handler = pipeline(eventStatsByPriceCategory, handle);
