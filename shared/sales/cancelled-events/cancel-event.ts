import { countOrders } from '../../data/counters/sales.ts';
import { readEvent } from '../../data/events/read.ts';
import { writeEvent } from '../../data/events/save.ts';
import { jobPuts, readJob } from '../../data/jobs/jobs.ts';
import { transactionMs } from '../../data/table/table.ts';
import { cancelledAt, deletedStatus } from '../../domain/events/event.ts';
import { type CancelEventTask, cancelEventJobId, type JobRecord, newJob } from '../../domain/jobs/job.ts';
import type { EventOrganiser } from '../../mappers/event.ts';
import { eventCancelled } from '../../mappers/event-events.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import type { OrderDeps } from '../refunds/cancel-or-refund-tickets.ts';

export interface CancelEventCommand extends Pick<CancelEventTask, 'eventId' | 'refund' | 'reason'> {
  readonly organiser: EventOrganiser;
}

export type CancelledEvent =
  | { readonly outcome: 'cancelled' | 'other_refund'; readonly job: JobRecord<CancelEventTask> }
  | { readonly outcome: 'missing' | 'deleted' };

/**
 * A checkout reads the event just before the transaction of its order, which sends no attempt after four seconds. When four times as much has
 * passed, every order either exists or will be made with its refund, so the job finds all that it has to find.
 */
const ordersSettledSeconds = (4 * transactionMs) / 1000;

/** Cancels an event. One transaction closes it, announces it and begins the job. A repeat returns that job. */
export async function cancelEvent(deps: OrderDeps, command: CancelEventCommand): Promise<CancelledEvent> {
  const { table, orgId, clock, requestId } = deps;
  const { eventId, refund, reason, organiser } = command;
  const jobId = cancelEventJobId(eventId);
  const event = await readEvent(table, orgId, eventId, { consistent: true });
  if (event === undefined) return { outcome: 'missing' };
  if (event.cancelledUnix === null) {
    const total = await countOrders(table, { orgId, eventId });
    const nowUnix = unixSeconds(clock);
    // Due by the attempt that writes it: another change of the event at the same time delays the cancellation.
    const begin = () => {
      const dueUnix = unixSeconds(clock) + ordersSettledSeconds;
      const task = { kind: 'cancel-event', eventId, refund, reason } as const;
      return newJob(jobId, task, { total, nowUnix, dueUnix, requestId: requestId ?? null });
    };
    // Of two concurrent requests, the second finds the event cancelled: it writes nothing, and returns the job of the first.
    const saved = await writeEvent(table, orgId, eventId, {
      rule: async (current = event) =>
        current.cancelledUnix === null && current.statusId === deletedStatus
          ? { refusal: 'deleted' }
          : { wanted: cancelledAt(current, nowUnix) },
      sideEffects: ({ after }) => {
        const begun = begin();
        const announced = eventCancelled(organiser, after, begun);
        return [
          ...jobPuts(table, orgId, begun),
          ...outboxItems(table, orgId, announced, { nowMs: clock.nowMs(), requestId }),
        ];
      },
    });
    if ('refusal' in saved) return { outcome: 'deleted' };
  }
  const job = await readJob(table, orgId, jobId);
  if (job?.task.kind !== 'cancel-event') throw new Fault(`The event ${eventId} is cancelled, but its job is missing.`);
  const { task } = job;
  return { outcome: task.refund === refund ? 'cancelled' : 'other_refund', job: { ...job, task } };
}
