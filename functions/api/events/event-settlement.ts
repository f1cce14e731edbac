import { readSettlement } from '../../../shared/data/counters/settlement.ts';
import { wholeLocalDays } from '../../../shared/domain/time/local-time.ts';
import { parseEventId, requirePricedEvent } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { eventSettlementResource } from '../../../shared/mappers/event-settlement.ts';
import { eventSettlement } from '../../../shared/operations/events/event-settlement.ts';

export const handle: Handle<typeof eventSettlement> = async ({ params, query }, { caller, table }) => {
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const pricedEvent = await requirePricedEvent(table, orgId, eventId);
  const days = wholeLocalDays({ after: query.unix_start, before: query.unix_end }, pricedEvent.event.timezone);
  return eventSettlementResource(pricedEvent, await readSettlement(table, orgId, eventId, days));
};

export const handler = pipeline(eventSettlement, handle);
