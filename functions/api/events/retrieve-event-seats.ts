import { readPicture } from '../../../shared/data/seats/picture.ts';
import { readShownSections, sectionsOf } from '../../../shared/data/seats/shown.ts';
import { readMapOfEvent } from '../../../shared/data/seats/stock.ts';
import { noSeats } from '../../../shared/domain/seats/seat-map.ts';
import {
  checkIsVisible,
  parseEventId,
  requirePricedEvent,
} from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { eventSeatsResource } from '../../../shared/mappers/event-seats.ts';
import { retrieveEventSeats } from '../../../shared/operations/events/retrieve-event-seats.ts';

export const handle: Handle<typeof retrieveEventSeats> = async ({ params, query }, { caller, table, clock }) => {
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const priced = await requirePricedEvent(table, orgId, eventId);
  checkIsVisible(caller, priced.event);
  const map = (await readMapOfEvent(table, orgId, priced.event)) ?? noSeats;
  const { section } = query;
  const sections = sectionsOf(map).filter((one) => one === section);
  const taken =
    section === undefined
      ? await readPicture(table, orgId, { event: priced.event, map }, clock.nowMs())
      : await readShownSections(table, orgId, { eventId, sections }, clock.nowMs());
  return eventSeatsResource(priced, map, {
    taken,
    isPublic: caller.kind === 'storefront',
    hasDetails: section !== undefined,
  });
};

export const handler = pipeline(retrieveEventSeats, handle);
