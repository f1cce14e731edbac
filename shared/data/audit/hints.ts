import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { dueHintKey, overdueHints } from '../table/due-hints.ts';
import { type DueKind, dueKinds } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Sweepers run every minute. A hint that is due for longer was forgotten, or its object fails every time. */
const explainedSeconds = 1_800;

/** Finds the hints of an organisation that no sweeper has processed for half an hour. */
export async function auditHints(table: Table, orgId: string, nowUnix: number): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const kind of dueKinds) findings.push(...(await auditKind(table, orgId, kind, nowUnix - explainedSeconds)));
  return findings;
}

async function auditKind(table: Table, orgId: string, kind: DueKind, untilUnix: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const hints of overdueHints(table, kind, untilUnix)) {
    for (const hint of hints.filter(({ ref }) => ref[0] === orgId)) {
      const since = new Date(hint.dueUnix * 1000).toISOString();
      const row = nameRow(dueHintKey(hint));
      findings.push({
        check: 'overdue-hints',
        row,
        problem: `It is due since ${since}, and its sweeper did not process it.`,
      });
    }
  }
  return findings;
}
