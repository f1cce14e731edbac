import { type CancelEventDeps, cancelNextOrders } from '../../shared/checkout/cancel-event-orders.ts';
import { type JobStep, runJobs } from '../../shared/data/jobs/run.ts';
import { enterNextSeats } from '../../shared/data/member-seats/job.ts';
import { refreshNextMembers } from '../../shared/data/members/refresh-changed-types.ts';
import type { JobRecord } from '../../shared/domain/jobs/job.ts';
import { livePayments } from '../../shared/payments/live.ts';
import { startTimeBudget, systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { startPace } from '../../shared/platform/pace.ts';
import { startSweepRun } from '../../shared/platform/sweep-run.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

const workSeconds = 50;

/** Stripe allows 100 calls a second, in test mode 25. The rest is left to the checkouts of a sale. */
const refundsPerSecond = 10;

/** A sale writes to the same table, and a partition takes 1,000 units a second. A member takes about six. */
const membersPerSecond = 100;

/** A row of seats reads its members, about thirty units of the 3,000 a second of their partition, and writes six. */
const seatRowsPerSecond = 60;

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
    }
  };
}

export const handler = scheduleWorker(async () => {
  const table = workerTable();
  const { attempt, end } = startSweepRun();
  const hasTime = startTimeBudget(workSeconds);
  const deps = { table, clock: systemClock, payments: livePayments(table), hasTime };
  const paces = {
    refundPace: startPace(refundsPerSecond),
    memberPace: startPace(membersPerSecond),
    seatRowPace: startPace(seatRowsPerSecond),
  };
  await runJobs({ ...deps, attempt, step: stepOf({ ...deps, ...paces }) });
  end();
});
