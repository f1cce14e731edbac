import { threeLooks } from '../../shared/data/audit/confirm.ts';
import { startTimeBudget, systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { runCountedAudit } from '../../shared/workers/counted-audit.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** What a run may read: 1.4 million units a day (docs/adr/0034-audit.md). The last step may exceed it. */
const maxReadUnits = 1_000;
const workSeconds = 30;

export const handler = scheduleWorker(() =>
  runCountedAudit({
    table: workerTable(),
    nowUnix: unixSeconds(systemClock),
    confirmation: threeLooks,
    maxReadUnits,
    hasTime: startTimeBudget(workSeconds),
  }),
);
