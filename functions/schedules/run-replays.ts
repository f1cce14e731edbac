import { startTimeBudget, systemClock } from '../../shared/platform/clock.ts';
import { startSweepRun } from '../../shared/platform/sweep-run.ts';
import { sendRetries } from '../../shared/webhooks/delivery-messages.ts';
import { runReplays } from '../../shared/webhooks/replay.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

const workSeconds = 30;

export const handler = scheduleWorker(async () => {
  const { attempt, end } = startSweepRun();
  const hasTime = startTimeBudget(workSeconds);
  await runReplays({ table: workerTable(), nowMs: systemClock.nowMs(), sendRetries, hasTime, attempt });
  end();
});
