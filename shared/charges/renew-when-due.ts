import { boughtTogether, lastTermOf } from '../data/members/bought-together.ts';
import { leaveRenewal, memberWrites } from '../data/members/change.ts';
import { readMember } from '../data/members/read.ts';
import type { MemberRecord } from '../data/members/row.ts';
import { readPlan } from '../data/plans/plans.ts';
import { readRenewal } from '../data/renewals/renewals.ts';
import { transact } from '../data/table/transact.ts';
import { renewsBy } from '../domain/members/cancellation.ts';
import { isCancelledMember } from '../domain/members/status.ts';
import { outstandingMinor } from '../domain/plans/plan.ts';
import { lateSeconds } from '../domain/renewals/goes-on.ts';
import {
  isAsAnnounced,
  type RenewalAttempt,
  type RenewalRecord,
  renewalStep,
  tryAgain,
  waitsForPlan,
} from '../domain/renewals/renewal.ts';
import { memberUpdated } from '../mappers/member-events.ts';
import { outboxItems } from '../outbox/outbox.ts';
import { unixSeconds } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { announce, goOnWhileDue } from './announce-renewal.ts';
import type { DueDeps, DueOutcome } from './deps.ts';
import { type Renewed, renewMembership, settleAttempt } from './renew-membership.ts';
import { type OfferedRenewal, type RenewalFacts, readRenewalFacts } from './renewal-facts.ts';

/** A look settles an attempt, and announces or charges what is due. */
const maxSteps = 10;
const pauseSeconds = 60;

/**
 * Announces and charges the renewal of a membership that renews itself, and settles an attempt that was interrupted. Each step is
 * written before the next: after a crash the next look goes on.
 */
export async function renewWhenDue(deps: DueDeps, renewalId: number): Promise<DueOutcome> {
  const { table, orgId, clock } = deps;
  const never = { nextUnix: undefined };
  for (let step = 0; step < maxSteps; step += 1) {
    const renewal = await readRenewal(table, orgId, renewalId);
    if (renewal === undefined) return never;
    if (await goesOn(deps, renewal)) continue;
    const outcome =
      renewal.attempt === null ? await takeStep(deps, renewal) : await endAttempt(deps, renewal, renewal.attempt);
    if (outcome !== 'again') return outcome;
  }
  return { nextUnix: unixSeconds(clock) };
}

/** Before the worker tries again what it could not charge: whatever stops it, the membership has not ended by that. */
async function goesOn(deps: DueDeps, renewal: RenewalRecord): Promise<boolean> {
  const nowUnix = unixSeconds(deps.clock);
  const { isOn, round, attempt } = renewal;
  if (!isOn || round === null || nowUnix < round.dueUnix + lateSeconds) return false;
  if (attempt !== null && nowUnix < attempt.leaseUntilUnix) return false;
  const members = await membersOf(deps, renewal);
  if (members.some(({ pendingRefund }) => pendingRefund !== null)) return false;
  return goOnWhileDue(deps, renewal, members);
}

/** `again`: something was written, so the record is read again. */
type Step = 'again' | DueOutcome;

async function endAttempt(deps: DueDeps, renewal: RenewalRecord, attempt: RenewalAttempt): Promise<Step> {
  const { orgId, clock, stops } = deps;
  if (unixSeconds(clock) < attempt.leaseUntilUnix) return { nextUnix: attempt.leaseUntilUnix };
  if (stops.isStopped(orgId)) return 'stopped';
  if ((await settleAttempt(deps, renewal, attempt)) === 'settled') return 'again';
  stops.refused({ outcome: 'unsettled', orgId, renewalId: renewal.renewalId, code: 'unsettled' });
  return 'unsettled';
}

async function takeStep(deps: DueDeps, found: RenewalRecord): Promise<Step> {
  const { orgId, clock, pace, stops } = deps;
  if (found.isOn && (await hasOtherOwner(deps, found))) {
    await endForOwner(deps, found);
    return 'again';
  }
  const members = found.isOn ? await membersOf(deps, found) : [];
  // The refund ends the membership, or leaves it as it was.
  if (members.some(({ pendingRefund }) => pendingRefund !== null)) {
    return { nextUnix: unixSeconds(clock) + pauseSeconds };
  }
  const facts = await readRenewalFacts(deps, found, members);
  if (facts === undefined) return { nextUnix: undefined };
  const renewal = await goOnIfPaid(deps, found, members);
  const next = renewalStep(renewal, facts.term, unixSeconds(clock));
  if (next.step === 'wait') return { nextUnix: next.untilUnix };
  const offered = chargeable(renewal, facts);
  if (next.step === 'announce' || offered === undefined) {
    await announce(deps, renewal, facts);
    return 'again';
  }
  if (stops.isStopped(orgId)) return 'stopped';
  await pace();
  const { renewalId } = renewal;
  const renewed = await renewMembership(deps, renewal, offered);
  const { outcome } = renewed;
  log.info(renewedTexts[outcome], { org_id: orgId, renewal_id: renewalId, outcome });
  if (outcome === 'refused' || outcome === 'unsettled') {
    stops.refused({ outcome, orgId, renewalId, code: renewed.code });
    return outcome;
  }
  if (outcome !== 'raced') stops.answered(orgId);
  return 'again';
}

const renewedTexts: Readonly<Record<Renewed['outcome'], string>> = {
  renewed: 'membership renewed',
  declined: 'renewal declined',
  not_offered: 'renewal no longer offered',
  refused: 'renewal not charged',
  unsettled: 'renewal not settled',
  raced: 'renewal left to another process',
};

/** Whether one of the members belongs to another customer than the one whose card is saved. */
async function hasOtherOwner({ table, orgId }: DueDeps, { memberIds, userId }: RenewalRecord): Promise<boolean> {
  const found = await Promise.all(memberIds.map((memberId) => readMember(table, orgId, memberId)));
  return found.some((member) => member !== undefined && !isCancelledMember(member) && member.userId !== userId);
}

/** An earlier release moved a membership to another customer and left the card of the former one. Nothing is charged to it. */
async function endForOwner({ table, orgId, clock, requestId }: DueDeps, renewal: RenewalRecord): Promise<void> {
  const { changes, items } = await leaveRenewal(table, orgId, renewal, unixSeconds(clock));
  const events = changes.flatMap(({ after }) =>
    outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
  );
  // If it is refused, the next look decides on what has changed.
  await transact(table, [...memberWrites(table, orgId, changes), ...items], events);
}

/** A renewal that was refused because instalments were outstanding is due as soon as they are paid. */
async function goOnIfPaid(
  { table, orgId, clock }: DueDeps,
  renewal: RenewalRecord,
  [member]: readonly MemberRecord[],
): Promise<RenewalRecord> {
  const nowUnix = unixSeconds(clock);
  if (!waitsForPlan(renewal, nowUnix)) return renewal;
  const planId = member?.planId ?? null;
  const plan = planId === null ? undefined : await readPlan(table, orgId, planId);
  const isOpen = plan !== undefined && outstandingMinor(plan) > 0;
  return isOpen ? renewal : tryAgain(renewal, nowUnix);
}

/** Undefined if the renewal costs more than announced, or is not offered any more: then it is announced again. */
function chargeable({ round }: RenewalRecord, facts: RenewalFacts): OfferedRenewal | undefined {
  const { offered, quote } = facts;
  if (offered.outcome !== 'offered' || quote === null || !isAsAnnounced(round, quote)) return undefined;
  return { ...facts, ...offered };
}

/**
 * Those who were bought together last, without those who were cancelled, now or for the end. A card is charged for the members of its owner: another
 * owner of the family renews the others.
 */
async function membersOf({ table, orgId }: DueDeps, renewal: RenewalRecord): Promise<readonly MemberRecord[]> {
  const { memberIds, userId } = renewal;
  const found = await Promise.all(memberIds.map((memberId) => readMember(table, orgId, memberId)));
  const isRenewed = (member: MemberRecord): boolean =>
    !isCancelledMember(member) && renewsBy(renewal, member) && member.userId === userId;
  const first = found.filter((member) => member !== undefined).find(isRenewed);
  if (first === undefined) return [];
  return (await boughtTogether(table, orgId, first, { last: await lastTermOf(table, orgId, first) })).filter(isRenewed);
}
