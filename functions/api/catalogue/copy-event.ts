import { copyEvent as copy } from '../../../shared/catalogue/copy-event.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { unixOf } from '../../../shared/domain/time/instant.ts';
import { readEventFromPath } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { codeTaken } from '../../../shared/http/handlers/problems/catalogue-problem.ts';
import { checkEventInput } from '../../../shared/http/handlers/problems/event-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { eventCreated } from '../../../shared/mappers/catalogue-events.ts';
import { eventResource } from '../../../shared/mappers/event.ts';
import { copyEvent } from '../../../shared/operations/catalogue/copy-event.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof copyEvent> = async ({ params, body }, { caller, table, clock, requestId }) => {
  const { orgId } = caller;
  const [organisation, source] = await Promise.all([
    readOrganisation(table, orgId),
    readEventFromPath(table, orgId, params.event_id),
  ]);
  if (organisation === undefined) throw notFound('organisation');
  checkEventInput({ utc_event_start_date: body.utc_event_start_date }, source.timezone);
  const copied = await copy(table, orgId, source.eventId, {
    title: body.title,
    startUnix: unixOf(body.utc_event_start_date),
    code: body.code,
    nowUnix: unixSeconds(clock),
    sideEffects: ({ after }) =>
      outboxItems(table, orgId, eventCreated(organisation, after), { nowMs: clock.nowMs(), requestId }),
  });
  switch (copied.outcome) {
    case 'missing':
      throw notFound('event');
    case 'code_taken':
      throw codeTaken('event');
    case 'copied':
      return eventResource(organisation, copied.event);
  }
};

export const handler = pipeline(copyEvent, handle);
