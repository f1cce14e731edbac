import { newCode } from '../../../shared/catalogue/new-code.ts';
import { createEvent as create } from '../../../shared/catalogue/save-event.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { checkEventInput, unwrapSavedEvent } from '../../../shared/http/handlers/problems/event-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { eventCreated } from '../../../shared/mappers/catalogue-events.ts';
import { eventResource } from '../../../shared/mappers/event.ts';
import { newEventValues } from '../../../shared/mappers/event-input.ts';
import { warningsOfEvent } from '../../../shared/mappers/warnings.ts';
import { createEvent } from '../../../shared/operations/catalogue/create-event.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof createEvent> = async ({ query, body }, deps) => {
  const { caller, table, clock, receipt, requestId } = deps;
  const { orgId } = caller;
  const organisation = await readOrganisation(table, orgId);
  if (organisation === undefined) throw notFound('organisation');
  const timezone = body.timezone ?? organisation.timezone;
  checkEventInput(body, timezone);
  const draft = { ...newEventValues(body, timezone), code: body.code ?? newCode() };
  const dryRun = query.dry_run ?? body.dry_run ?? false;
  const saved = await create(table, orgId, draft, {
    dryRun,
    nowUnix: unixSeconds(clock),
    sideEffects: ({ after }) => [
      ...outboxItems(table, orgId, eventCreated(organisation, after), { nowMs: clock.nowMs(), requestId }),
      ...receipt(eventResource(organisation, after)),
    ],
  });
  const event = unwrapSavedEvent(saved);
  const resource = eventResource(organisation, event);
  if (!dryRun) return resource;
  const nothing = { stocks: new Map(), categories: new Map(), zones: undefined };
  return { ...resource, warnings: warningsOfEvent([], { event, ...nothing }, unixSeconds(clock)) };
};

export const handler = pipeline(createEvent, handle);
