import { startTimeBudget, systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { countOutcome } from '../../shared/platform/log.ts';
import { startSweepRun } from '../../shared/platform/sweep-run.ts';
import { sendRetries, wakeBacklog } from '../../shared/webhooks/delivery-messages.ts';
import { sweepBacklogs, sweepDeliveries } from '../../shared/webhooks/sweep.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** Ends before the function's timeout. The next run, a minute later, continues. */
const workSeconds = 35;

export const handler = scheduleWorker(async () => {
  const { attempt, end } = startSweepRun();
  const hasTime = startTimeBudget(workSeconds);
  const deps = { table: workerTable(), nowUnix: unixSeconds(systemClock), sendRetries, wakeBacklog, hasTime, attempt };
  const backlogs = await sweepBacklogs(deps);
  const deliveries = await sweepDeliveries(deps);
  if (backlogs + deliveries > 0) countOutcome('sweep-deliveries', 'Swept', backlogs + deliveries);
  end();
});
