import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { scopeMissing } from '../../../shared/http/auth/auth-problems.ts';
import { parseEventId } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem } from '../../../shared/http/problem.ts';
import { jobResource } from '../../../shared/mappers/job.ts';
import { cancelEvent } from '../../../shared/operations/catalogue/cancel-event.ts';
import { cancelEvent as beginCancellation } from '../../../shared/sales/cancelled-events/cancel-event.ts';

export const handle: Handle<typeof cancelEvent> = async ({ params, body }, { caller, table, clock, requestId }) => {
  const { orgId, scopes } = caller;
  const { refund, reason } = body;
  if (refund === 'all' && !scopes.includes('orders:write')) throw scopeMissing(['orders:write'], scopes);
  const eventId = parseEventId(params.event_id);
  const organiser = await readOrganisation(table, orgId);
  if (organiser === undefined) throw notFound('organisation');
  const begun = await beginCancellation({ table, orgId, clock, requestId }, { eventId, refund, reason, organiser });
  switch (begun.outcome) {
    case 'missing':
      throw notFound('event');
    case 'deleted':
      throw problem('event_not_open', 'This event is deleted. There is nothing to cancel.', { param: 'event_id' });
    case 'other_refund': {
      const message = `This event was cancelled with refund=${begun.job.task.refund}, by the job ${begun.job.jobId}. Nothing was changed. Refund orders one by one instead.`;
      throw problem('event_already_cancelled', message, { param: 'refund' });
    }
    case 'cancelled':
      return jobResource(begun.job);
  }
};

export const handler = pipeline(cancelEvent, handle);
