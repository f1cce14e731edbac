import { readOrganisation } from '../data/organisations/organisation.ts';
import { readPlan, savePlan } from '../data/plans/plans.ts';
import { isCancelledMember } from '../domain/members/status.ts';
import { instalmentChargeKey } from '../domain/payments/charge-key.ts';
import type { DeclineReason } from '../domain/payments/decline.ts';
import { beginCharge, chargeDeclined, chargePaid, dropCharge, recordPlanCharge } from '../domain/plans/charge.ts';
import { dueInstalment, type Instalment, nextDueUnix, type PlanCharge, type PlanRecord } from '../domain/plans/plan.ts';
import { callProvider } from '../payments/payments.ts';
import type { Declined, KnownCharge, MethodUnknown, PaymentProvider, Refused } from '../payments/provider.ts';
import { unixSeconds } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { membersOfPlan } from '../sales/checkout/members-of-plan.ts';
import type { ChargeDeps, DueDeps, DueOutcome } from './deps.ts';
import { accountChanged, payeeOf, prepareCharge, savedElsewhere } from './prepare-charge.ts';
import { recordOutcome } from './record-plan.ts';
import { settleCharge } from './settle-charge.ts';

/** A plan has at most so many steps in one look: an instalment that is settled, and several that are due. */
const maxSteps = 20;

/**
 * Charges what is due of a plan, and settles a charge that was interrupted. Each step is written before the next: after a crash the
 * next look goes on, and nobody is charged twice.
 */
export async function chargeDueInstalments(deps: DueDeps, planId: number): Promise<DueOutcome> {
  const { table, orgId, clock, stops } = deps;
  for (let step = 0; step < maxSteps; step += 1) {
    const plan = await readPlan(table, orgId, planId);
    const nextUnix = plan && nextDueUnix(plan);
    if (plan === undefined || nextUnix === undefined || nextUnix > unixSeconds(clock)) return { nextUnix };
    if (stops.isStopped(orgId)) return 'stopped';
    const charged = plan.charge === null ? await chargeNext(deps, plan) : await endCharge(deps, plan, plan.charge);
    if (charged === undefined) return { nextUnix };
    const failed = judge(deps, planId, charged);
    if (failed !== undefined) return failed;
  }
  return { nextUnix: unixSeconds(clock) };
}

/** Undefined if the next step may follow. */
function judge({ orgId, stops }: DueDeps, planId: number, charged: Charged): 'refused' | 'unsettled' | undefined {
  if (charged.outcome === 'refused' || charged.outcome === 'unsettled') {
    const { outcome, code } = charged;
    stops.refused({ outcome, orgId, planId, code });
    return outcome;
  }
  if (charged.outcome !== 'raced') stops.answered(orgId);
  return undefined;
}

async function endCharge(deps: DueDeps, plan: PlanRecord, inProgress: PlanCharge): Promise<Charged> {
  const settled = await settleCharge(deps, plan, inProgress);
  return settled === 'unknown' ? { outcome: 'unsettled', code: 'unsettled' } : raced;
}

/** Charges what is due; undefined if nothing is. */
async function chargeNext(deps: DueDeps, plan: PlanRecord): Promise<Charged | undefined> {
  const due = dueInstalment(plan, unixSeconds(deps.clock));
  if (due === undefined) return undefined;
  await deps.pace();
  const charged = await chargeInstalment(deps, plan, due);
  const { outcome } = charged;
  log.info(chargedTexts[outcome], { org_id: deps.orgId, plan_id: plan.planId, number: due.number, outcome });
  return charged;
}

/**
 * `refused`: no money has moved, and the card is not the reason; the instalment is due as before. `unsettled`: it is not known whether
 * money has moved. `raced`: another process was first.
 */
type Charged =
  | { readonly outcome: 'paid' | 'declined' | 'raced' }
  | { readonly outcome: 'refused' | 'unsettled'; readonly code: string };

const raced = { outcome: 'raced' } as const;

const chargedTexts: Readonly<Record<Charged['outcome'], string>> = {
  paid: 'instalment charged',
  declined: 'instalment declined',
  refused: 'instalment not charged',
  unsettled: 'instalment not settled',
  raced: 'instalment left to another process',
};

/** Charges an instalment to the saved method, without the member. */
async function chargeInstalment(deps: ChargeDeps, plan: PlanRecord, due: Instalment): Promise<Charged> {
  const { table, orgId, clock, payments, requestId } = deps;
  const { number } = due;
  const [provider, organisation, members] = await Promise.all([
    payments.current(),
    readOrganisation(table, orgId),
    membersOfPlan(deps, plan),
  ]);
  const payee = payeeOf(provider, organisation);
  const { account } = payee;
  const isCancelled = members.length > 0 && members.every(isCancelledMember);
  const { customer, paymentMethod } = plan;
  // A cancelled member owes what only the organisation can decide about.
  if (isCancelled) return decline(deps, plan, number, { code: 'membership_cancelled', message: '' });
  const elsewhere = savedElsewhere(plan, payee);
  if (elsewhere === accountChanged) return decline(deps, plan, number, { code: elsewhere, message: '' });
  if (elsewhere !== undefined) return { outcome: 'refused', code: elsewhere };
  if (customer === null || paymentMethod === null) {
    return decline(deps, plan, number, { code: 'method_missing', message: '' });
  }
  const nowUnix = unixSeconds(clock);
  const wanted = { number, paymentMethod: null, requestId: requestId ?? null, nowUnix };
  const begun = await savePlan(table, orgId, plan, beginCharge(plan, wanted));
  if (begun?.charge == null) return raced;
  const how = { customer, paymentMethod, returnUrl: null, savesMethod: false };
  const prepared = await prepareCharge(deps, { plan: begun, inProgress: begun.charge }, payee, how);
  if (prepared === 'unknown') return drop(deps, begun, 'no_answer');
  if (prepared.outcome !== 'prepared') return endUnprepared(deps, begun, number, prepared);
  const { chargeId } = prepared.payment;
  const reference = { provider: provider.name, chargeId, account };
  const recording = recordPlanCharge(begun, reference, { waits: false, nowUnix: unixSeconds(clock) });
  const recorded = await savePlan(table, orgId, begun, recording);
  if (recorded === undefined) return raced;
  return confirm(deps, recorded, number, {
    provider,
    known: { orgId, account, chargeId, key: instalmentChargeKey(plan, begun.charge) },
  });
}

/** Only a card that is declined or gone is for the member to act on. */
function endUnprepared(
  deps: ChargeDeps,
  begun: PlanRecord,
  number: number,
  prepared: Declined | MethodUnknown | Refused,
): Promise<Charged> {
  switch (prepared.outcome) {
    case 'declined':
      return decline(deps, begun, number, prepared);
    case 'refused':
      return drop(deps, begun, prepared.code);
    case 'method_unknown':
      return prepared.isGone
        ? decline(deps, begun, number, { code: 'method_missing', message: '' })
        : drop(deps, begun, prepared.outcome);
  }
}

interface ChargeAtProvider {
  readonly provider: PaymentProvider;
  readonly known: KnownCharge;
}

/** Moves the money of a recorded charge. */
async function confirm(
  deps: ChargeDeps,
  recorded: PlanRecord,
  number: number,
  { provider, known }: ChargeAtProvider,
): Promise<Charged> {
  const { clock, payments } = deps;
  const confirmed = await callProvider(provider, payments.timeoutMs, (api, signal) =>
    api.confirm({ ...known, offSession: true }, signal),
  );
  if (confirmed === 'unknown') return { outcome: 'unsettled', code: 'no_answer' };
  switch (confirmed.outcome) {
    case 'pending':
      return { outcome: 'unsettled', code: confirmed.outcome };
    // Only this process would confirm the charge, and it does not.
    case 'refused':
      return drop(deps, recorded, confirmed.code);
    case 'not_processed':
      return drop(deps, recorded, confirmed.outcome);
    case 'declined':
      return decline(deps, recorded, number, confirmed);
    case 'action_required':
      return declineUnauthenticated(deps, recorded, number, { provider, known });
    case 'paid': {
      const paid = chargePaid(recorded, unixSeconds(clock), confirmed.method);
      const written = await recordOutcome(deps, recorded, paid, { number, received: 'card' });
      return written === undefined ? raced : { outcome: 'paid' };
    }
  }
}

/** Nobody is there to act, so the charge is cancelled before it is called declined: the member could otherwise pay it later. */
async function declineUnauthenticated(
  deps: ChargeDeps,
  recorded: PlanRecord,
  number: number,
  { provider, known }: ChargeAtProvider,
): Promise<Charged> {
  const { payments } = deps;
  const cancelled = await callProvider(provider, payments.timeoutMs, (api, signal) => api.cancel(known, signal));
  if (cancelled === 'unknown') return { outcome: 'unsettled', code: 'no_answer' };
  if (cancelled.status !== 'failed') return { outcome: 'unsettled', code: cancelled.status };
  return decline(deps, recorded, number, { code: 'authentication_required', message: '' });
}

async function decline(deps: ChargeDeps, before: PlanRecord, number: number, reason: DeclineReason): Promise<Charged> {
  const declined = chargeDeclined(before, number, reason, unixSeconds(deps.clock));
  const written = await recordOutcome(deps, before, declined, { number });
  return written === undefined ? raced : { outcome: 'declined' };
}

/** Ends an attempt that has moved no money and never will. The next one has another key at the provider, which repeats no stored answer. */
async function drop({ table, orgId }: ChargeDeps, plan: PlanRecord, code: string): Promise<Charged> {
  const dropped = await savePlan(table, orgId, plan, dropCharge(plan));
  return dropped === undefined ? raced : { outcome: 'refused', code };
}
