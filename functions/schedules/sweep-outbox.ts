import { publish } from '../../shared/outbox/bus.ts';
import { claimOverdue } from '../../shared/outbox/sweep.ts';
import { systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { countOutcome } from '../../shared/platform/log.ts';
import { startSweepRun } from '../../shared/platform/sweep-run.ts';
import { settleEvents } from '../../shared/webhooks/settle-events.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = scheduleWorker(async () => {
  const { attempt, end } = startSweepRun();
  const sweep = { table: workerTable(), nowUnix: unixSeconds(systemClock), attempt, settle: settleEvents };
  for await (const events of claimOverdue(sweep)) {
    const failed = await publish('sweep-outbox', events);
    countOutcome('sweep-outbox', 'Republished', events.length - failed.length);
  }
  end();
});
