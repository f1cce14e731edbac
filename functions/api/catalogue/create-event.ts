import { newCode } from '../../../shared/catalogue/new-code.ts';
import { createEvent as create } from '../../../shared/catalogue/save-event.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { checkEventInput, unwrapSavedEvent } from '../../../shared/http/handlers/event-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { eventResource } from '../../../shared/mappers/event.ts';
import { newEventValues } from '../../../shared/mappers/event-input.ts';
import { createEvent } from '../../../shared/operations/catalogue/create-event.ts';

export const handle: Handle<typeof createEvent> = async ({ query, body }, { caller, table, receipt }) => {
  const { orgId } = caller;
  const organisation = await readOrganisation(table, orgId);
  if (organisation === undefined) throw notFound('organisation');
  const timezone = body.timezone ?? organisation.timezone;
  checkEventInput(body, timezone);
  const draft = { ...newEventValues(body, timezone), code: body.code ?? newCode() };
  const dryRun = query.dry_run ?? body.dry_run ?? false;
  const saved = await create(table, orgId, draft, {
    dryRun,
    sideEffects: ({ after }) => receipt(eventResource(organisation, after)),
  });
  const event = eventResource(organisation, unwrapSavedEvent(saved));
  return dryRun ? { ...event, warnings: [] } : event;
};

export const handler = pipeline(createEvent, handle);
