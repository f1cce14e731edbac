import type { Finding } from '../../domain/audit/finding.ts';
import { nextOrganisation } from '../organisations/directory.ts';
import type { Table } from '../table/table.ts';
import { type Confirmation, confirmed } from './confirm.ts';
import { auditHints } from './hints.ts';
import { auditOrganisationStep } from './organisation.ts';
import { organisationStart, type RoundPosition, roundStart } from './position.ts';
import { NoProgress, requireProgress } from './progress.ts';
import { type Round, readRound, saveRound } from './round.ts';

export interface AuditRunDeps {
  readonly table: Table;
  readonly nowUnix: number;
  readonly confirmation: Confirmation;
  /** No step begins after this many read units, or when no time is left. */
  readonly maxReadUnits: number;
  readonly hasTime: () => boolean;
  readonly report: (finding: Finding) => void;
  /** Called before the run fails, because a part of the audit stands still. */
  readonly reportStuck: (part: NoProgress['part']) => void;
}

export interface AuditRun {
  readonly steps: number;
  /** What the last complete round found, or this one if that is more: 0 only when a whole round has found nothing. */
  readonly contradictions: number;
  /** Whether the round takes longer than it may. */
  readonly isOverdue: boolean;
}

/** A small stage is audited once an hour and not all the time. */
const secondsBetweenRounds = 3_600;
/** In this time the runs read ten million units, as many as 1.4 million orders have (docs/adr/0034-audit.md). */
const longestRoundSeconds = 7 * 86_400;

/**
 * Continues the audit of all organisations where the last run stopped. The position is stored after every step, once the step
 * has reported what it found: a run that crashes reports it twice at most, and leaves nothing out. Of two concurrent runs, one
 * stops at its first step. A step that does not get further ends the run with NoProgress.
 */
export async function runAudit(deps: AuditRunDeps): Promise<AuditRun> {
  const { table, nowUnix, maxReadUnits, hasTime, report } = deps;
  const { meter } = table;
  const unitsBefore = meter.readUnits;
  let round = await readRound(table);
  let steps = 0;
  while (hasTime() && meter.readUnits - unitsBefore < maxReadUnits) {
    const current = inProgress(round, nowUnix);
    if (current === undefined) break;
    const { findings, next } = await advancingStep(deps, current.at);
    for (const finding of findings) report(finding);
    const found = current.found + findings.length;
    const saved = await saveRound(table, round, {
      startedUnix: current.startedUnix,
      found,
      foundBefore: next === undefined ? found : current.foundBefore,
      ...(next !== undefined && { at: next }),
    });
    if (saved === undefined) break;
    round = saved;
    steps += 1;
  }
  return {
    steps,
    contradictions: Math.max(round?.found ?? 0, round?.foundBefore ?? 0),
    isOverdue: round?.at !== undefined && nowUnix > round.startedUnix + longestRoundSeconds,
  };
}

type RoundInProgress = Round & { readonly at: RoundPosition };

/** The stored round, or a new one if that is complete and old enough. */
function inProgress(round: Round | undefined, nowUnix: number): RoundInProgress | undefined {
  if (round?.at !== undefined) return { ...round, at: round.at };
  if (round !== undefined && nowUnix < round.startedUnix + secondsBetweenRounds) return undefined;
  return {
    version: round?.version ?? 0,
    startedUnix: nowUnix,
    found: 0,
    foundBefore: round?.foundBefore ?? 0,
    at: roundStart,
  };
}

interface RoundStep {
  readonly findings: readonly Finding[];
  readonly next: RoundPosition | undefined;
}

/** A run that stands still fails, and so does every later one until the part gets further. */
async function advancingStep(deps: AuditRunDeps, position: RoundPosition): Promise<RoundStep> {
  try {
    const step = await roundStep(deps, position);
    requireProgress(position, step.next);
    return step;
  } catch (error) {
    if (error instanceof NoProgress) deps.reportStuck(error.part);
    throw error;
  }
}

async function roundStep({ table, nowUnix, confirmation }: AuditRunDeps, position: RoundPosition): Promise<RoundStep> {
  switch (position.part) {
    case 'hints': {
      const findings = await confirmed(() => auditHints(table, nowUnix), confirmation);
      return { findings, next: { part: 'organisations', after: '' } };
    }
    case 'organisations': {
      const orgId = await nextOrganisation(table, position.after);
      return {
        findings: [],
        next: orgId === undefined ? undefined : { part: 'organisation', orgId, at: organisationStart },
      };
    }
    case 'organisation': {
      const { orgId } = position;
      const { findings, next: at } = await auditOrganisationStep(table, orgId, position.at, { nowUnix, confirmation });
      return {
        findings,
        next: at === undefined ? { part: 'organisations', after: orgId } : { part: 'organisation', orgId, at },
      };
    }
  }
}
