import type { ChargeReference } from '../baskets/basket.ts';
import type { DeclineReason } from '../payments/decline.ts';
import { retryDeclinedUnix } from '../payments/retry-declined.ts';
import type { SavedMethod } from '../renewals/renewal.ts';
import { type Instalment, isLate, type PlanRecord, withInstalment } from './plan.ts';

/** Longer than a charge takes with all timeouts of the provider. A process that comes later still cannot record or confirm: the plan has changed. */
const planLeaseSeconds = 60;
/** As long as a payment of a basket waits for the buyer. */
const waitSeconds = 900;

interface NewCharge {
  readonly number: number;
  readonly paymentMethod: string | null;
  readonly saves?: boolean | undefined;
  readonly named?: boolean | undefined;
  readonly requestId: string | null;
  readonly nowUnix: number;
}

/** Takes the lease: the attempt is written down before anything is charged. */
export function beginCharge(
  plan: PlanRecord,
  { number, paymentMethod, saves = false, named = false, requestId, nowUnix }: NewCharge,
): PlanRecord {
  const attempt = (plan.instalments.find((one) => one.number === number)?.attempts ?? 0) + 1;
  const charge = {
    number,
    attempt,
    startedUnix: nowUnix,
    leaseUntilUnix: nowUnix + planLeaseSeconds,
    waitUntilUnix: null,
    charge: null,
    paymentMethod,
    ...(saves && { saves }),
    ...(named && { named }),
    requestId,
  };
  return { ...withInstalment(plan, number, { attempts: attempt }), charge };
}

/** Records the charge before money moves. One that waits for the member ends the lease. */
export function recordPlanCharge(
  plan: PlanRecord,
  charge: ChargeReference,
  { waits, nowUnix }: { readonly waits: boolean; readonly nowUnix: number },
): PlanRecord {
  if (plan.charge === null) return plan;
  const times = waits
    ? { leaseUntilUnix: nowUnix, waitUntilUnix: plan.charge.startedUnix + waitSeconds }
    : { leaseUntilUnix: nowUnix + planLeaseSeconds };
  return { ...plan, charge: { ...plan.charge, ...times, charge } };
}

/** Ends a charge that has definitely not been made, as if it had not begun. */
export function dropCharge(plan: PlanRecord): PlanRecord {
  return { ...plan, charge: null };
}

/**
 * The charge in progress is paid. The method that paid replaces the saved one if the member wanted that; then what needed the member
 * is charged to it too.
 */
export function chargePaid(plan: PlanRecord, nowUnix: number, paymentMethod: string | null): PlanRecord {
  const { charge, customer, provider, account } = plan;
  if (charge === null) return plan;
  const paid = {
    ...withInstalment(plan, charge.number, { ...paidFields(nowUnix), charge: charge.charge }),
    charge: null,
  };
  // The person may have been erased meanwhile.
  if (charge.saves !== true || paymentMethod === null || customer === null) return paid;
  return replaceMethod(paid, { provider, account, customer, paymentMethod, savedUnix: nowUnix });
}

const paidFields = (nowUnix: number): Partial<Instalment> => ({
  status: 'paid',
  paidUnix: nowUnix,
  failure: null,
  retryUnix: null,
});

/** Marks an instalment that was paid in another way, such as in cash. */
export function paidElsewhere(plan: PlanRecord, number: number, nowUnix: number): PlanRecord {
  return withInstalment(plan, number, paidFields(nowUnix));
}

/**
 * The charge of an instalment was declined. It is tried again, unless that is useless or was done often enough: then the
 * member has to act.
 */
export function chargeDeclined(plan: PlanRecord, number: number, reason: DeclineReason, nowUnix: number): PlanRecord {
  const declined = plan.instalments.find((one) => one.number === number);
  if (declined === undefined) return plan;
  const retryUnix = retryDeclinedUnix(declined.dueUnix, reason, nowUnix);
  const failed = {
    status: retryUnix === undefined ? 'action_required' : 'failed',
    failure: reason.code ?? 'declined',
    retryUnix: retryUnix ?? null,
  } as const;
  return { ...withInstalment(plan, number, failed), charge: null };
}

/**
 * Gives a plan another saved method. What was declined is tried again with it, unless nobody of the membership is a member any more:
 * the decline said nothing of this method.
 */
export function replaceMethod(
  plan: PlanRecord,
  { provider, account, customer, paymentMethod, savedUnix }: SavedMethod,
): PlanRecord {
  const instalments = plan.instalments.map((one) =>
    isLate(one) && one.failure !== 'membership_cancelled'
      ? { ...one, status: 'failed' as const, retryUnix: savedUnix }
      : one,
  );
  return { ...plan, provider, account, customer, paymentMethod, methodUnix: savedUnix, instalments };
}
