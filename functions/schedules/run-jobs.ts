import { stepOf } from '../../shared/checkout/job-steps.ts';
import { runJobs } from '../../shared/data/jobs/run.ts';
import { livePayments } from '../../shared/payments/live.ts';
import { startTimeBudget, systemClock } from '../../shared/platform/clock.ts';
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
