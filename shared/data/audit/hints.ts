import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { dueHintKey, overdueHints } from '../table/due-hints.ts';
import { type DueKind, dueKinds } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Sweepers run every minute. A hint that is due for longer was forgotten, or its object fails every time. */
const explainedSeconds = 1_800;

/** Enough to find the cause. After an outage there may be a million of them, and a look must stay short. */
const maxFindingsPerKind = 50;

/** Finds hints, of one organisation or of all, that no sweeper has processed for half an hour. */
export async function auditHints(table: Table, nowUnix: number, orgId?: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const kind of dueKinds) findings.push(...(await auditKind(table, kind, nowUnix - explainedSeconds, orgId)));
  return findings;
}

async function auditKind(
  table: Table,
  kind: DueKind,
  untilUnix: number,
  orgId: string | undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const hints of overdueHints(table, kind, untilUnix)) {
    for (const hint of hints.filter(({ ref }) => orgId === undefined || ref[0] === orgId)) {
      if (findings.length >= maxFindingsPerKind) return findings;
      const since = new Date(hint.dueUnix * 1000).toISOString();
      findings.push({
        check: 'overdue-hints',
        row: nameRow(dueHintKey(hint)),
        problem: `It is due since ${since}, and its sweeper did not process it.`,
      });
    }
  }
  return findings;
}
