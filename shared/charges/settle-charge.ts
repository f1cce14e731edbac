import { savePlan } from '../data/plans/plans.ts';
import { instalmentChargeKey } from '../domain/payments/charge-key.ts';
import { chargeDeclined, chargePaid, dropCharge } from '../domain/plans/charge.ts';
import type { PlanCharge, PlanRecord } from '../domain/plans/plan.ts';
import { isOnSession, leaveUnreported } from '../domain/plans/unanswered-payment.ts';
import { callProvider } from '../payments/payments.ts';
import type { PaymentState } from '../payments/provider.ts';
import { unixSeconds } from '../platform/clock.ts';
import { Fault } from '../platform/fault.ts';
import type { ChargeDeps } from './deps.ts';
import { instalmentOf, recordOutcome } from './record-plan.ts';

/** `paid` and `unpaid`: the plan has no charge in progress any more, or another process has changed it. */
type Settled = 'paid' | 'unpaid' | 'unknown';

/**
 * Settles a charge of an instalment that no process works on: what is not paid is cancelled at the provider, and then the answer of
 * the provider decides. Without a recorded charge no money has moved, and none can move once the attempt has ended.
 */
export async function settleCharge(deps: ChargeDeps, plan: PlanRecord, inProgress: PlanCharge): Promise<Settled> {
  const { table, orgId, clock } = deps;
  const { number } = inProgress;
  if (inProgress.charge === null) {
    await savePlan(table, orgId, plan, dropCharge(plan));
    return 'unpaid';
  }
  const payment = await retrieveOrCancelCharge(deps, plan, inProgress, 'retrieve');
  if (payment === 'unknown') return 'unknown';
  const last =
    payment.status === 'succeeded' ? payment : await retrieveOrCancelCharge(deps, plan, inProgress, 'cancel');
  if (last === 'unknown') return 'unknown';
  if (last.status === 'succeeded') {
    await recordPaid(deps, plan, inProgress, last);
    return 'paid';
  }
  // As long as it is not cancelled, the member could still pay it.
  if (last.status !== 'failed') return 'unknown';
  // What a member tried, with a card or on a page, does not count: the worker tries the saved method when it is due.
  const isDeclined = payment.declineCode !== null && !isOnSession(inProgress);
  if (isDeclined) {
    const reason = { code: payment.declineCode, message: payment.declineMessage ?? '' };
    await recordOutcome(deps, plan, chargeDeclined(plan, number, reason, unixSeconds(clock)), { number });
  } else {
    await savePlan(table, orgId, plan, dropCharge(plan));
  }
  return 'unpaid';
}

/** Records a paid charge. Nothing is recorded that is not what the instalment costs: somebody changed it at the provider. */
export function recordPaid(
  deps: ChargeDeps,
  plan: PlanRecord,
  inProgress: PlanCharge,
  payment: PaymentState,
): Promise<PlanRecord | undefined> {
  const { number } = inProgress;
  const { amountMinor } = instalmentOf(plan, number);
  if (payment.amountMinor !== amountMinor || payment.currency !== plan.currency) {
    throw new Fault(`The charge of instalment ${number} of the plan ${plan.planId} is not what the instalment costs.`);
  }
  const paid = chargePaid(plan, unixSeconds(deps.clock), payment.method);
  const recorded = deps.receipt === undefined ? leaveUnreported(paid, inProgress) : paid;
  return recordOutcome(deps, plan, recorded, { number, received: 'card', withHint: isOnSession(inProgress) });
}

/** Neither call moves money. */
const askShare = 0.5;

/** Asks for a charge, or cancels it. Throws if it is the charge of something else. */
export async function retrieveOrCancelCharge(
  { orgId, payments }: Pick<ChargeDeps, 'orgId' | 'payments'>,
  plan: PlanRecord,
  inProgress: PlanCharge,
  call: 'retrieve' | 'cancel',
): Promise<PaymentState | 'unknown'> {
  const { charge } = inProgress;
  if (charge === null) return 'unknown';
  const provider = await payments.byName(charge.provider);
  const key = instalmentChargeKey(plan, inProgress);
  const known = { orgId, account: charge.account, key, chargeId: charge.chargeId };
  const payment = await callProvider(provider, payments.timeoutMs * askShare, (api, signal) =>
    call === 'retrieve' ? api.retrieve(known, signal) : api.cancel(known, signal),
  );
  if (payment !== 'unknown' && (payment.orgId !== orgId || payment.key !== key)) {
    throw new Fault(`The charge of the plan ${plan.planId} belongs to something else.`);
  }
  return payment;
}
