import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { isShownToAll } from '../../../shared/domain/events/event.ts';
import { readEventFromPath } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { eventResource } from '../../../shared/mappers/event.ts';
import { retrieveEvent } from '../../../shared/operations/events/retrieve-event.ts';

export const handle: Handle<typeof retrieveEvent> = async ({ params }, { caller, table }) => {
  const [organisation, event] = await Promise.all([
    readOrganisation(table, caller.orgId),
    readEventFromPath(table, caller.orgId, params.event_id),
  ]);
  if (caller.kind === 'storefront' && !isShownToAll(event)) throw notFound('event');
  if (organisation === undefined) throw notFound('organisation');
  return eventResource(organisation, event);
};

export const handler = pipeline(retrieveEvent, handle);
