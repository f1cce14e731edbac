import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { type DueHint, dueHintKey, orgIdOfHint, overdueHintItems, parseHint } from '../table/due-hints.ts';
import { type DueKind, dueKinds } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { unlessUnreadable } from './unreadable.ts';

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
  for await (const items of overdueHintItems(table, kind, untilUnix)) {
    for (const item of items.filter((one) => orgId === undefined || orgIdOfHint(one) === orgId)) {
      if (findings.length >= maxFindingsPerKind) return findings;
      const overdue = async () => overdueFinding(parseHint(kind, item));
      findings.push(await unlessUnreadable(`a hint of ${kind}`, overdue, (finding) => finding));
    }
  }
  return findings;
}

function overdueFinding(hint: DueHint): Finding {
  const since = new Date(hint.dueUnix * 1000).toISOString();
  const problem = `It is due since ${since}, and its sweeper did not process it.`;
  return { check: 'overdue-hints', row: nameRow(dueHintKey(hint)), problem };
}
