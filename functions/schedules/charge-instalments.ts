import { sweepPlans } from '../../shared/charges/sweep-plans.ts';
import { sweepRenewals } from '../../shared/charges/sweep-renewals.ts';
import { livePayments } from '../../shared/payments/live.ts';
import { startTimeBudget, systemClock } from '../../shared/platform/clock.ts';
import { startPace } from '../../shared/platform/pace.ts';
import { startSweepRun } from '../../shared/platform/sweep-run.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** What is begun at the end may take half a minute, if the provider does not respond. */
const workSeconds = 25;

/** Stripe allows 100 calls a second, in test mode 25, and a charge is two. The rest is left to the checkouts of a sale. */
const chargesPerSecond = 10;

export const handler = scheduleWorker(async () => {
  const table = workerTable();
  const { attempt, end } = startSweepRun();
  const hasTime = startTimeBudget(workSeconds);
  const pace = startPace(chargesPerSecond);
  const deps = { table, clock: systemClock, payments: livePayments(table), hasTime, pace, attempt };
  await sweepPlans(deps);
  await sweepRenewals(deps);
  end();
});
