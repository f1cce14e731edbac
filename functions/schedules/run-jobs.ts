import { livePayments } from '../../shared/payments/live.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { runDueJobs } from '../../shared/sales/jobs/run-due-jobs.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

export const handler = scheduleWorker(
  () => {
    const table = workerTable();
    return runDueJobs({ table, clock: systemClock, payments: livePayments(table) });
  },
  { alsoAfterEvents: true },
);
