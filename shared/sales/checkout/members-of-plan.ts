import { type MemberChange, withFields } from '../../data/members/change.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { renewalHintPut } from '../../data/renewals/renewals.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { hasOpenInstalments, paidStatus } from '../../domain/members/status.ts';
import { outstandingMinor, overdueSinceUnix, type PlanRecord } from '../../domain/plans/plan.ts';
import { mayWaitForPlan } from '../../domain/renewals/renewal.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { CheckoutDeps } from '../deps.ts';

type PlanDeps = Pick<CheckoutDeps, 'table' | 'orgId' | 'clock'>;

/** Reads the members of a plan. One that has a newer plan is left to that. */
export async function membersOfPlan(
  { table, orgId }: PlanDeps,
  { memberIds, planId }: PlanRecord,
): Promise<readonly MemberRecord[]> {
  const found = await Promise.all(memberIds.map((memberId) => readMember(table, orgId, memberId)));
  return found.filter((member) => member !== undefined).filter((member) => member.planId === planId);
}

/** The members follow their plan: since when they are overdue, and paid (status 1) with the last instalment. */
export async function memberChanges(deps: PlanDeps, plan: PlanRecord): Promise<readonly MemberChange[]> {
  const overdueSince = overdueSinceUnix(plan);
  const isPaid = outstandingMinor(plan) === 0;
  const nowUnix = unixSeconds(deps.clock);
  return (await membersOfPlan(deps, plan)).flatMap((before) => {
    const statusId = isPaid && hasOpenInstalments(before) ? paidStatus : before.statusId;
    const after = withFields(before, { overdueSinceUnix: overdueSince, statusId }, nowUnix);
    return after === before ? [] : [{ before, after }];
  });
}

/** A renewal that waits for the last instalment goes on: the hints that make the worker look at it. */
export function waitingRenewals(
  { table, orgId, clock }: PlanDeps,
  plan: PlanRecord,
  changes: readonly MemberChange[],
): readonly TransactItem[] {
  if (outstandingMinor(plan) > 0) return [];
  const nowUnix = unixSeconds(clock);
  const waiting = changes.map(({ after }) => after).filter((member) => mayWaitForPlan(member, nowUnix));
  const ids = new Set(waiting.flatMap(({ renewalId }) => renewalId ?? []));
  return [...ids].map((renewalId) => renewalHintPut(table, orgId, renewalId, nowUnix));
}
