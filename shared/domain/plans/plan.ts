import type { ChargeReference } from '../baskets/basket.ts';
import { sumOf } from '../money.ts';

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

export const isOpenStatus = (status: InstalmentStatus): status is OpenStatus =>
  openStatuses.some((open) => open === status);
export const isOpen = ({ status }: Instalment): boolean => isOpenStatus(status);
export const isLate = ({ status }: Instalment): boolean => status === 'failed' || status === 'action_required';

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

/** The plan with other fields of one instalment. */
export function withInstalment(plan: PlanRecord, number: number, fields: Partial<Instalment>): PlanRecord {
  const instalments = plan.instalments.map((one) => (one.number === number ? { ...one, ...fields } : one));
  return { ...plan, instalments };
}
