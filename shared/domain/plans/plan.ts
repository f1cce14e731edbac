import type { ChargeReference } from '../baskets/basket.ts';
import { sumOf } from '../money.ts';
import type { ReturnedShare } from '../orders/refund.ts';
import type { DeclineReason } from '../payments/decline.ts';
import { retryDeclinedUnix } from '../payments/retry-declined.ts';
import type { SavedMethod } from '../renewals/renewal.ts';

export const instalmentStatuses = ['planned', 'paid', 'failed', 'action_required', 'cancelled'] as const;
export type InstalmentStatus = (typeof instalmentStatuses)[number];
export const openStatuses = ['planned', 'failed', 'action_required'] as const satisfies readonly InstalmentStatus[];
type OpenStatus = (typeof openStatuses)[number];

/** One share of a plan. A failed one is tried again; one that needs action waits for the member. */
export interface Instalment {
  /** From 1, which is paid with the order. */
  readonly number: number;
  readonly dueUnix: number;
  readonly amountMinor: number;
  readonly status: InstalmentStatus;
  readonly paidUnix: number | null;
  /** How often it was begun to charge it. With the plan and the number it is the provider's idempotency key. */
  readonly attempts: number;
  /** The provider's code of the last decline, or ours. */
  readonly failure: string | null;
  /** When a failed one is tried again. */
  readonly retryUnix: number | null;
  /** The charge that paid it; null for the payment of the order, and if it was paid elsewhere. */
  readonly charge: ChargeReference | null;
  /** What a cancelled one was: if the refund that cancelled it is refused, it is that again. Absent if it is not cancelled. */
  readonly cancelledFrom?: { readonly status: OpenStatus; readonly retryUnix: number | null } | undefined;
}

/** A charge of an instalment that is in progress. No other begins before its outcome is known. */
export interface PlanCharge {
  readonly number: number;
  readonly attempt: number;
  readonly startedUnix: number;
  /** Until then the process that began it works on it. After that another one may settle it. */
  readonly leaseUntilUnix: number;
  /** The payment waits for the member until then; null if it does not. */
  readonly waitUntilUnix: number | null;
  /** Recorded before money can move. Null: no money has moved. */
  readonly charge: ChargeReference | null;
  /** What the member pays with, if that is not the saved method. */
  readonly paymentMethod: string | null;
  /** Whether the method that pays replaces the saved one; absent if it does not. */
  readonly saves?: boolean | undefined;
  /** Whether the request named the instalment; absent if it did not. */
  readonly named?: boolean | undefined;
  readonly requestId: string | null;
}

/** How the price of one membership of an order is paid in shares: that of all people of the line. */
export interface PlanRecord {
  /** The id of the first term of the line. */
  readonly planId: number;
  readonly orderId: number;
  /** The event of the order; null if it has none. */
  readonly eventId: number | null;
  readonly lineId: number;
  readonly memberIds: readonly number[];
  readonly userId: number;
  readonly optionId: string;
  readonly currency: string;
  /** Where the method is saved. */
  readonly provider: string;
  readonly account: string | null;
  /** The provider's references of the customer and the method; null after the erasure of the person. */
  readonly customer: string | null;
  readonly paymentMethod: string | null;
  /** When the method was last replaced; absent if it is that of the order. */
  readonly methodUnix?: number | null | undefined;
  readonly instalments: readonly Instalment[];
  readonly charge: PlanCharge | null;
  /** The instalment that a request has paid without naming it and without getting the answer; absent if there is none. */
  readonly unreported?: number | undefined;
  /** Absent if no charge of it, or of its order, was disputed. */
  readonly dispute?: PlanDispute | undefined;
  readonly version: number;
}

/** A member disputes a charge at the bank: later instalments are not charged any more. Access is left to the organisation. */
export interface PlanDispute {
  readonly sinceUnix: number;
  /** What was announced and entered into the journal, each once. */
  readonly recorded: readonly string[];
}

const isOpenStatus = (status: InstalmentStatus): status is OpenStatus => openStatuses.some((open) => open === status);
const isOpen = ({ status }: Instalment): boolean => isOpenStatus(status);
const isLate = ({ status }: Instalment): boolean => status === 'failed' || status === 'action_required';

const sum = (instalments: readonly Instalment[]): number => sumOf(instalments.map(({ amountMinor }) => amountMinor));

export const totalMinor = ({ instalments }: Pick<PlanRecord, 'instalments'>): number => sum(instalments);
export const paidMinor = ({ instalments }: Pick<PlanRecord, 'instalments'>): number =>
  sum(instalments.filter(({ status }) => status === 'paid'));
export const outstandingMinor = ({ instalments }: Pick<PlanRecord, 'instalments'>): number =>
  sum(instalments.filter(isOpen));

/** What was never paid: it is still owed, or was cancelled. */
export const unpaidMinor = (plan: Pick<PlanRecord, 'instalments'>): number => totalMinor(plan) - paidMinor(plan);
/** What the organisation received in another way than by a charge. The first instalment is part of the payment of the order. */
export const paidElsewhereMinor = ({ instalments }: Pick<PlanRecord, 'instalments'>): number =>
  sum(instalments.filter(({ number, status, charge }) => number > 1 && status === 'paid' && charge === null));

/** Since when an instalment was declined and is not paid; null if there is none. Nobody is late before the provider has said so. */
export function overdueSinceUnix({ instalments }: Pick<PlanRecord, 'instalments'>): number | null {
  const late = instalments.filter(isLate).map(({ dueUnix }) => dueUnix);
  return late.length === 0 ? null : Math.min(...late);
}

/** The same if the charge is paid whose outcome the provider has not said. One that waits for the member is not paid. */
export function overdueSinceIfPaid({ instalments, charge }: Pick<PlanRecord, 'instalments' | 'charge'>): number | null {
  const isAsked = charge !== null && charge.charge !== null && charge.waitUntilUnix === null;
  return overdueSinceUnix({ instalments: instalments.filter(({ number }) => !isAsked || number !== charge.number) });
}

/** What is overdue. */
export const overdueMinor = ({ instalments }: Pick<PlanRecord, 'instalments'>): number =>
  sum(instalments.filter(isLate));

/** The instalment that a member pays next: the oldest that is due and not paid, else the next. */
export function payableInstalment({ instalments }: PlanRecord): Instalment | undefined {
  return instalments.find(isOpen);
}

/** Whether no charge is in progress. */
export const isSettled = ({ charge }: PlanRecord): boolean => charge === null;

const triedAt = ({ status, dueUnix, retryUnix }: Instalment): number | null => {
  if (status === 'planned') return dueUnix;
  return status === 'failed' ? retryUnix : null;
};

/** The instalment that the worker charges now. */
export function dueInstalment({ instalments, dispute }: PlanRecord, nowUnix: number): Instalment | undefined {
  if (dispute !== undefined) return undefined;
  return instalments.find((instalment) => {
    const atUnix = triedAt(instalment);
    return atUnix !== null && atUnix <= nowUnix;
  });
}

/** When the worker has to look at the plan; undefined if never. */
export function nextDueUnix({
  charge,
  instalments,
  dispute,
}: Pick<PlanRecord, 'charge' | 'instalments' | 'dispute'>): number | undefined {
  if (charge !== null) return charge.waitUntilUnix ?? charge.leaseUntilUnix;
  if (dispute !== undefined) return undefined;
  const times = instalments.map(triedAt).filter((atUnix) => atUnix !== null);
  return times.length === 0 ? undefined : Math.min(...times);
}

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

/** Whether a member began the charge. The worker names no method, and waits for nobody. */
export const isOnSession = ({ paymentMethod, waitUntilUnix }: PlanCharge): boolean =>
  paymentMethod !== null || waitUntilUnix !== null;

/** Remembers a paid instalment for the member who asked for it and got no answer. Whoever named it asks for the same again. */
export function leaveUnreported(plan: PlanRecord, charge: PlanCharge): PlanRecord {
  return isOnSession(charge) && charge.named !== true ? { ...plan, unreported: charge.number } : plan;
}

/** As long as the response of a request with an Idempotency-Key is kept. */
const reportedWithinSeconds = 86_400;

/** Whether the next request that names no instalment is the repetition of one whose answer nobody got: it pays nothing. */
export function isToReport({ instalments, unreported }: PlanRecord, nowUnix: number): boolean {
  const found = instalments.find(({ number }) => number === unreported);
  return found?.status === 'paid' && nowUnix < (found.paidUnix ?? 0) + reportedWithinSeconds;
}

/** The member has got the answer. */
export function reportPaid({ unreported: _reported, ...plan }: PlanRecord): PlanRecord {
  return plan;
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

/** Stops the later charges of a plan because of a dispute. The same plan if that is recorded already. */
export function recordPlanDispute(plan: PlanRecord, what: string, nowUnix: number): PlanRecord {
  const { sinceUnix = nowUnix, recorded = [] } = plan.dispute ?? {};
  return recorded.includes(what) ? plan : { ...plan, dispute: { sinceUnix, recorded: [...recorded, what] } };
}

/** Whether one of its instalments was paid by this charge. */
export function isPaidBy(
  { instalments }: PlanRecord,
  { chargeId, account }: Omit<ChargeReference, 'provider'>,
): boolean {
  return instalments.some(({ charge }) => charge?.chargeId === chargeId && charge.account === account);
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

/** Cancels what is not paid: nothing is charged any more. */
export function cancelOpen(plan: PlanRecord): PlanRecord {
  const instalments = plan.instalments.map((one) => {
    const { status, retryUnix } = one;
    if (!isOpenStatus(status)) return one;
    return { ...one, status: 'cancelled' as const, retryUnix: null, cancelledFrom: { status, retryUnix } };
  });
  return { ...plan, instalments };
}

/** The plan of a refund that was refused: what was cancelled is owed as before. An earlier release did not write down what it was. */
export function reopenCancelled(plan: PlanRecord): PlanRecord {
  const instalments = plan.instalments.map(({ cancelledFrom, ...one }) =>
    one.status === 'cancelled' ? { ...one, ...(cancelledFrom ?? { status: 'planned' as const }) } : one,
  );
  return { ...plan, instalments };
}

/** Why an instalment is owed that was paid: a refund returned its charge, and then could not return the others. */
const returnedFailure = 'refunded';

/**
 * Makes an instalment owed again whose charge was returned. It is due from now on, and the member has to act: nobody is charged again
 * for what was just returned.
 */
export function returnInstalment(plan: PlanRecord, number: number, nowUnix: number): PlanRecord {
  return withInstalment(plan, number, {
    status: 'action_required',
    dueUnix: nowUnix,
    paidUnix: null,
    charge: null,
    failure: returnedFailure,
    retryUnix: null,
  });
}

/** Makes a share that was returned paid again as it was: the return has failed. The same plan if it is not owed any more. */
export function payReturned(plan: PlanRecord, { number, dueUnix, paidUnix, charge }: ReturnedShare): PlanRecord {
  const isOwed = plan.instalments.some((one) => one.number === number && isOpen(one));
  const paid = { status: 'paid', failure: null, retryUnix: null, dueUnix, paidUnix, charge } as const;
  return isOwed ? withInstalment(plan, number, paid) : plan;
}

function withInstalment(plan: PlanRecord, number: number, fields: Partial<Instalment>): PlanRecord {
  const instalments = plan.instalments.map((one) => (one.number === number ? { ...one, ...fields } : one));
  return { ...plan, instalments };
}
