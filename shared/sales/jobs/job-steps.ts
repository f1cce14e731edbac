import { renameNextEvents } from '../../data/events/rename-venue.ts';
import type { JobStep } from '../../data/jobs/run.ts';
import { enterNextSeats } from '../../data/member-seats/job.ts';
import { refreshNextMembers } from '../../data/members/refresh-changed-types.ts';
import type { JobRecord } from '../../domain/jobs/job.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { type CancelEventDeps, cancelNextOrders } from '../cancelled-events/cancel-event-orders.ts';

type StepDeps = Omit<CancelEventDeps, 'orgId' | 'requestId' | 'pace'> & {
  readonly refundPace: () => Promise<void>;
  readonly memberPace: () => Promise<void>;
  readonly seatRowPace: () => Promise<void>;
};

/** The next step of a job of any kind. */
export function stepOf({ refundPace, memberPace, seatRowPace, ...deps }: StepDeps) {
  return (orgId: string, job: JobRecord): Promise<JobStep> => {
    const { task, requestId } = job;
    switch (task.kind) {
      case 'cancel-event':
        return cancelNextOrders(
          { ...deps, orgId, pace: refundPace, requestId: requestId ?? undefined },
          { ...job, task },
        );
      case 'enter-seats': {
        const nowUnix = unixSeconds(deps.clock);
        return enterNextSeats({ table: deps.table, orgId, nowUnix, pace: seatRowPace }, { ...job, task });
      }
      case 'refresh-members':
        return refreshNextMembers({ table: deps.table, orgId, pace: memberPace }, { ...job, task });
      case 'rename-venue':
        return renameNextEvents({ table: deps.table, orgId, pace: memberPace }, { ...job, task });
    }
  };
}
