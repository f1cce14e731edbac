import { updateEvent as update } from '../../../shared/catalogue/save-event.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { readEventFromPath } from '../../../shared/http/handlers/event-from-path.ts';
import { checkEventInput, unwrapSavedEvent } from '../../../shared/http/handlers/event-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { eventResource } from '../../../shared/mappers/event.ts';
import { eventChange } from '../../../shared/mappers/event-input.ts';
import { updateEvent } from '../../../shared/operations/catalogue/update-event.ts';

export const handle: Handle<typeof updateEvent> = async ({ params, query, body }, { caller, table, ifMatch }) => {
  const { orgId } = caller;
  const [organisation, current] = await Promise.all([
    readOrganisation(table, orgId),
    readEventFromPath(table, orgId, params.event_id),
  ]);
  if (organisation === undefined) throw notFound('organisation');
  checkEventInput(body, body.timezone ?? current.timezone);
  const dryRun = query.dry_run ?? body.dry_run ?? false;
  const saved = await update(table, orgId, current.eventId, { change: eventChange(body), ifMatch, dryRun });
  const event = eventResource(organisation, unwrapSavedEvent(saved));
  return dryRun ? { ...event, warnings: [] } : event;
};

export const handler = pipeline(updateEvent, handle);
