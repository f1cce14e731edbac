import { type AuditRunDeps, runAudit } from '../data/audit/run.ts';
import { countOutcome, log } from '../platform/log.ts';

const worker = 'audit-organisations';

/** Runs the audit, and counts what its alarms watch. */
export async function runCountedAudit(deps: Omit<AuditRunDeps, 'report' | 'reportStuck'>): Promise<void> {
  const { contradictions, isOverdue } = await runAudit({
    ...deps,
    report: (finding) => log.error('Rows contradict each other', { ...finding }),
    reportStuck: (part) => {
      log.error('A part of the audit makes no progress', { ...part });
      countOutcome(worker, 'NoProgress');
    },
  });
  // Published by every run, so the alarm stays until a whole round finds nothing.
  countOutcome(worker, 'Contradictions', contradictions);
  countOutcome(worker, 'RoundOverdue', isOverdue ? 1 : 0);
}
