import { cancelNextOrders } from '../../shared/checkout/cancel-event-orders.ts';
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

export const handler = scheduleWorker(async () => {
  const table = workerTable();
  const { attempt, end } = startSweepRun();
  const hasTime = startTimeBudget(workSeconds);
  const deps = { table, clock: systemClock, payments: livePayments(table), hasTime, pace: startPace(refundsPerSecond) };
  await runJobs({
    ...deps,
    attempt,
    step: (orgId, job) => cancelNextOrders({ ...deps, orgId, requestId: job.requestId ?? undefined }, job),
  });
  end();
});
