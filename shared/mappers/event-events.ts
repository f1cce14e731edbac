import type { EventRecord } from '../domain/events/event.ts';
import type { CancelEventTask, JobRecord } from '../domain/jobs/job.ts';
import { type EventOrganiser, eventResource } from './event.ts';

export function eventCancelled(
  organiser: EventOrganiser,
  event: EventRecord,
  { jobId, task }: JobRecord<CancelEventTask>,
) {
  const { refund, reason } = task;
  return {
    type: 'event.cancelled' as const,
    data: { event: eventResource(organiser, event), refund, reason, job_id: jobId },
  };
}
