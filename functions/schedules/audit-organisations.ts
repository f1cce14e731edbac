import { threeLooks } from '../../shared/data/audit/confirm.ts';
import { runAudit } from '../../shared/data/audit/run.ts';
import { startTimeBudget, systemClock, unixSeconds } from '../../shared/platform/clock.ts';
import { countOutcome, log } from '../../shared/platform/log.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** What a run may read: 1.4 million units a day (docs/adr/0034-audit.md). The last step may exceed it. */
const maxReadUnits = 1_000;
const workSeconds = 30;

export const handler = scheduleWorker(async () => {
  const { contradictions, isOverdue } = await runAudit({
    table: workerTable(),
    nowUnix: unixSeconds(systemClock),
    confirmation: threeLooks,
    maxReadUnits,
    hasTime: startTimeBudget(workSeconds),
    report: (finding) => log.error('Rows contradict each other', { ...finding }),
    reportStuck: (part) => {
      log.error('A part of the audit makes no progress', { ...part });
      countOutcome('audit-organisations', 'NoProgress');
    },
  });
  // Published by every run, so the alarm stays until a whole round finds nothing.
  countOutcome('audit-organisations', 'Contradictions', contradictions);
  countOutcome('audit-organisations', 'RoundOverdue', isOverdue ? 1 : 0);
});
