import { updateEvent as update } from '../../../shared/catalogue/save-event.ts';
import type { EventChange } from '../../../shared/data/events/save.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { readPriceList } from '../../../shared/data/prices/read.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { readZoneStocks, seatStocks } from '../../../shared/data/seats/stock.ts';
import { readEventFromPath } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { checkEventInput, unwrapSavedEvent } from '../../../shared/http/handlers/problems/event-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { eventUpdated } from '../../../shared/mappers/catalogue-events.ts';
import { eventResource } from '../../../shared/mappers/event.ts';
import { eventChange } from '../../../shared/mappers/event-input.ts';
import { warningsOfEvent } from '../../../shared/mappers/warnings.ts';
import { updateEvent } from '../../../shared/operations/catalogue/update-event.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof updateEvent> = async ({ params, query, body }, deps) => {
  const { caller, table, clock, ifMatch, requestId } = deps;
  const { orgId } = caller;
  const [organisation, current] = await Promise.all([
    readOrganisation(table, orgId),
    readEventFromPath(table, orgId, params.event_id),
  ]);
  if (organisation === undefined) throw notFound('organisation');
  checkEventInput(body, body.timezone ?? current.timezone);
  const dryRun = query.dry_run ?? body.dry_run ?? false;
  const announce = ({ before = current, after }: EventChange) =>
    outboxItems(table, orgId, eventUpdated(organisation, before, after), { nowMs: clock.nowMs(), requestId });
  const change = eventChange(body);
  const nowUnix = unixSeconds(clock);
  const options = { change, ifMatch, dryRun, nowUnix, sideEffects: announce };
  const saved = await update(table, orgId, current.eventId, options);
  const event = unwrapSavedEvent(saved);
  const resource = eventResource(organisation, event);
  if (!dryRun) return resource;
  const [{ prices, categories }, own, zones] = await Promise.all([
    readPriceList(table, orgId, event.eventId),
    readStock(table, orgId, event.eventId),
    readZoneStocks(table, orgId, event),
  ]);
  const stocks = zones === undefined ? own : seatStocks({ prices, categories }, own, zones);
  return { ...resource, warnings: warningsOfEvent(prices, { event, stocks, categories, zones }, nowUnix) };
};

export const handler = pipeline(updateEvent, handle);
