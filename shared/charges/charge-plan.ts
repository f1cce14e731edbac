import { membersOfPlan } from '../checkout/members-of-plan.ts';
import { readOrganisation } from '../data/organisations/organisation.ts';
import { readPlan, savePlan } from '../data/plans/plans.ts';
import { instalmentChargeKey } from '../domain/payments/charge-key.ts';
import type { DeclineReason } from '../domain/payments/decline.ts';
import { retryPauseSeconds } from '../domain/payments/retry-pause.ts';
import {
  beginCharge,
  chargeDeclined,
  chargePaid,
  dropCharge,
  dueInstalment,
  type Instalment,
  nextLookUnix,
  type PlanRecord,
  planLeaseSeconds,
  recordPlanCharge,
} from '../domain/plans/plan.ts';
import { callProvider } from '../payments/payments.ts';
import type { KnownCharge, PaymentProvider } from '../payments/provider.ts';
import { unixSeconds } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { ChargeDeps, LookDeps } from './deps.ts';
import { payeeOf, prepareCharge } from './prepare-charge.ts';
import { recordOutcome } from './record-plan.ts';
import { settleCharge } from './settle-charge.ts';

/** A plan has at most so many steps in one look: an instalment that is settled, and several that are due. */
const maxSteps = 20;

/**
 * Charges what is due of a plan, and settles a charge that was interrupted. Returns when to look again; undefined if never. Each
 * step is written before the next: after a crash the next look goes on, and nobody is charged twice.
 */
export async function lookAtPlan(deps: LookDeps, planId: number): Promise<number | undefined> {
  const { table, orgId, clock, pace } = deps;
  for (let step = 0; step < maxSteps; step += 1) {
    const plan = await readPlan(table, orgId, planId);
    if (plan === undefined) return undefined;
    const nowUnix = unixSeconds(clock);
    const lookUnix = nextLookUnix(plan);
    if (lookUnix === undefined || lookUnix > nowUnix) return lookUnix;
    if (plan.charge !== null) {
      const settled = await settleCharge(deps, plan, plan.charge);
      if (settled === 'unknown') return nowUnix + retryPauseSeconds(nowUnix - plan.charge.startedUnix);
      continue;
    }
    const due = dueInstalment(plan, nowUnix);
    if (due === undefined) return lookUnix;
    await pace();
    const outcome = await chargeInstalment(deps, plan, due);
    log.info('instalment charged', { org_id: orgId, plan_id: planId, number: due.number, outcome });
    if (outcome === 'unknown') return unixSeconds(clock) + planLeaseSeconds;
  }
  return unixSeconds(clock);
}

/** `unknown`: it is not known whether money has moved, or the provider could not be reached. `raced`: another process was first. */
type Charged = 'paid' | 'declined' | 'unknown' | 'raced';

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
  const isSaved = provider.name === plan.provider && account === plan.account;
  const isCancelled = members.length > 0 && members.every(({ statusId }) => statusId === 3);
  const { customer, paymentMethod } = plan;
  // A method is saved on one account, and a cancelled member owes what only the organisation can decide about.
  if (isCancelled) return decline(deps, plan, number, { code: 'membership_cancelled', message: '' });
  if (!isSaved) return decline(deps, plan, number, { code: 'account_changed', message: '' });
  if (customer === null || paymentMethod === null) {
    return decline(deps, plan, number, { code: 'method_missing', message: '' });
  }
  const nowUnix = unixSeconds(clock);
  const wanted = { number, paymentMethod: null, requestId: requestId ?? null, nowUnix };
  const begun = await savePlan(table, orgId, plan, beginCharge(plan, wanted));
  if (begun?.charge == null) return 'raced';
  const how = { customer, paymentMethod, returnUrl: null, savesMethod: false };
  const prepared = await prepareCharge(deps, { plan: begun, inProgress: begun.charge }, payee, how);
  // The attempt ends with its lease: no money can move that is not recorded.
  if (prepared === 'unknown') return 'unknown';
  if (prepared.outcome === 'declined') return decline(deps, begun, number, prepared);
  if (prepared.outcome !== 'prepared') {
    const code = prepared.outcome === 'refused' ? prepared.code : 'method_missing';
    return decline(deps, begun, number, { code, message: '' });
  }
  const { chargeId } = prepared.payment;
  const reference = { provider: provider.name, chargeId, account };
  const recording = recordPlanCharge(begun, reference, { waits: false, nowUnix: unixSeconds(clock) });
  const recorded = await savePlan(table, orgId, begun, recording);
  if (recorded === undefined) return 'raced';
  return confirm(deps, recorded, number, {
    provider,
    known: { orgId, account, chargeId, key: instalmentChargeKey(plan, begun.charge) },
  });
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
  const { table, orgId, clock, payments } = deps;
  const confirmed = await callProvider(provider, payments.timeoutMs, (api, signal) =>
    api.confirm({ ...known, offSession: true }, signal),
  );
  if (confirmed === 'unknown') return 'unknown';
  switch (confirmed.outcome) {
    case 'pending':
      return 'unknown';
    case 'not_processed':
      return (await savePlan(table, orgId, recorded, dropCharge(recorded))) === undefined ? 'raced' : 'unknown';
    case 'declined':
      return decline(deps, recorded, number, confirmed);
    case 'action_required':
      return declineUnauthenticated(deps, recorded, number, { provider, known });
    case 'paid': {
      const paid = chargePaid(recorded, unixSeconds(clock), confirmed.method);
      const written = await recordOutcome(deps, recorded, paid, { number, received: 'card' });
      return written === undefined ? 'raced' : 'paid';
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
  if (cancelled === 'unknown' || cancelled.status !== 'failed') return 'unknown';
  return decline(deps, recorded, number, { code: 'authentication_required', message: '' });
}

async function decline(deps: ChargeDeps, before: PlanRecord, number: number, reason: DeclineReason): Promise<Charged> {
  const declined = chargeDeclined(before, number, reason, unixSeconds(deps.clock));
  return (await recordOutcome(deps, before, declined, { number })) === undefined ? 'raced' : 'declined';
}
