import { parseEventId, requireEventFigures } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { priceStats } from '../../../shared/mappers/event-stats.ts';
import { eventStatsByPrice } from '../../../shared/operations/events/event-stats-by-price.ts';

export const handle: Handle<typeof eventStatsByPrice> = async ({ params, query }, { caller, table }) => {
  const eventId = parseEventId(params.event_id);
  const figures = await requireEventFigures(table, caller.orgId, eventId);
  const data = priceStats({ ...figures, includeCancelled: query.include_cancelled });
  return { event_id: String(eventId), data };
};

export const handler = pipeline(eventStatsByPrice, handle);
