import { setTimeout as sleep } from 'node:timers/promises';
import { runJobs } from '../../data/jobs/run.ts';
import { startTimeBudget } from '../../platform/clock.ts';
import { startPace } from '../../platform/pace.ts';
import { startSweepRun } from '../../platform/sweep-run.ts';
import type { CheckoutDeps } from '../deps.ts';
import { stepOf } from './job-steps.ts';

const workSeconds = 50;

/** Stripe allows 100 calls a second, in test mode 25. The rest is left to the checkouts of a sale. */
const refundsPerSecond = 10;

/** A sale writes to the same table, and a partition takes 1,000 units a second. A member takes about six. */
const membersPerSecond = 100;

/** A row of seats reads its members, about thirty units of the 3,000 a second of their partition, and writes six. */
const seatRowsPerSecond = 60;

/** One run of the worker: works on the jobs that are due. The next minute goes on with what is left. */
export async function runDueJobs(deps: Pick<CheckoutDeps, 'table' | 'clock' | 'payments'>): Promise<void> {
  const { attempt, end } = startSweepRun();
  const run = { ...deps, hasTime: startTimeBudget(workSeconds) };
  const step = stepOf({
    ...run,
    refundPace: startPace(refundsPerSecond),
    memberPace: startPace(membersPerSecond),
    seatRowPace: startPace(seatRowsPerSecond),
  });
  await runJobs({ ...run, wait: () => sleep(1000), attempt, step });
  end();
}
