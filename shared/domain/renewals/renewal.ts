import type { DeclineReason } from '../payments/decline.ts';
import { retryDeclinedUnix } from '../payments/retry-declined.ts';

const daySeconds = 86_400;
/** A renewal is announced so many days before it is charged, and again. */
const announcedDays = { first: 30, second: 7 } as const;

/** A payment method that can be charged without the member, and where it is saved. */
export interface SavedMethod {
  readonly provider: string;
  /** Null for the sandbox. */
  readonly account: string | null;
  /** The provider's references of the customer and the method. */
  readonly customer: string;
  readonly paymentMethod: string;
  readonly savedUnix: number;
}

/** A method that is being saved at the provider. No money moves. */
export interface MethodSetup extends Omit<SavedMethod, 'paymentMethod' | 'savedUnix'> {
  readonly setupId: string;
  /** What the request named; null if the member chooses on the page of the organisation. */
  readonly paymentMethod: string | null;
}

/** What the member agreed to: the words, when, and in which request. */
export interface RenewalConsent {
  readonly text: string;
  readonly givenUnix: number;
  readonly requestId: string | null;
}

export const renewalStatuses = ['announced', 'not_offered', 'failed', 'action_required'] as const;
export type RenewalStatus = (typeof renewalStatuses)[number];

/** What a renewal costs, and as which type. */
export interface RenewalQuote {
  readonly typeId: number;
  /** What is charged when it is due: the whole price, or the first instalment. */
  readonly amountMinor: number;
  readonly priceMinor: number;
  readonly currency: string;
}

/** The renewal of one term: what was announced, and what became of it. It is over when the next term is paid. */
export interface RenewalRound {
  /** The end of the term that is renewed. */
  readonly expiresUnix: number;
  readonly status: RenewalStatus;
  /** Never charged before. */
  readonly dueUnix: number;
  /** Never charged more. Null if the membership cannot be renewed. */
  readonly quote: RenewalQuote | null;
  /** When it was announced. */
  readonly announcedUnix: readonly number[];
  readonly attempts: number;
  /** The provider's code of the last decline, or ours. */
  readonly failure: string | null;
  /** When a failed one is tried again. */
  readonly retryUnix: number | null;
}

/** A basket that the worker has opened to renew the membership. No other is opened before its outcome is known. */
export interface RenewalAttempt {
  readonly basketId: number;
  readonly startedUnix: number;
  /** Until then the process that began it works on it. After that another one may settle it. */
  readonly leaseUntilUnix: number;
}

/** Who signs a checkout in that no person makes. */
export const autoRenewalIssuer = 'auto-renewal';

/** How the members of one purchase pay from now on: the saved method, and whether the membership renews itself. */
export interface RenewalRecord {
  /** The id of the first member. */
  readonly renewalId: number;
  /** All who were bought together. */
  readonly memberIds: readonly number[];
  /** Whose method is saved. */
  readonly userId: number;
  /** Null if none was saved here. A plan has its own (`methodForRenewal`). */
  readonly saved: SavedMethod | null;
  readonly setup: MethodSetup | null;
  /** How often it was begun to save a method. With the record it is the provider's idempotency key. */
  readonly setups: number;
  readonly isOn: boolean;
  /** How a renewal is paid: by this payment option, or at once. */
  readonly optionId: string | null;
  /** The consent of the last time that it was switched on; null if it never was, and after the erasure of the person. */
  readonly consent: RenewalConsent | null;
  /** Null until the next renewal is announced. */
  readonly round: RenewalRound | null;
  readonly attempt: RenewalAttempt | null;
  readonly version: number;
}

interface RenewedLine {
  readonly memberIds: readonly number[];
  readonly userId: number;
}

/** A record that does not exist yet. */
export function newRenewal(renewalId: number, { memberIds, userId }: RenewedLine): RenewalRecord {
  return {
    renewalId,
    memberIds,
    userId,
    saved: null,
    setup: null,
    setups: 0,
    isOn: false,
    optionId: null,
    consent: null,
    round: null,
    attempt: null,
    version: 0,
  };
}

/**
 * The record after its membership has got another customer. A saved card belongs to a person, and so does what that person agreed
 * to. The number of tries stays: the provider's idempotency keys never repeat. An attempt stays until it is settled.
 */
export function leftByOwner({ renewalId, userId, setups, attempt, version }: RenewalRecord): RenewalRecord {
  return { ...newRenewal(renewalId, { memberIds: [], userId }), setups, attempt, version };
}

interface PlanMethod {
  /** Who agreed to the plan, and whose method it has. */
  readonly userId: number;
  readonly provider: string;
  readonly account: string | null;
  readonly customer: string | null;
  readonly paymentMethod: string | null;
  readonly methodUnix?: number | null | undefined;
  readonly instalments: readonly { readonly dueUnix: number }[];
}

/** The method that a renewal is charged to: the one that the person of the record saved last, for the record or for the plan. */
export function methodForRenewal(
  { saved, userId }: Pick<RenewalRecord, 'saved' | 'userId'>,
  plan: PlanMethod | undefined,
): SavedMethod | null {
  if (plan?.userId !== userId || plan.customer === null || plan.paymentMethod === null) return saved;
  const { provider, account, customer, paymentMethod } = plan;
  const savedUnix = plan.methodUnix ?? plan.instalments[0]?.dueUnix ?? 0;
  const ofPlan = { provider, account, customer, paymentMethod, savedUnix };
  return saved !== null && saved.savedUnix >= savedUnix ? saved : ofPlan;
}

/** Saves a method. A renewal that was declined is tried again with it. */
export function saveMethod(renewal: RenewalRecord, saved: SavedMethod): RenewalRecord {
  return { ...tryAgain(renewal, saved.savedUnix), saved, setup: null };
}

/** The failure of a renewal that waits for the instalments of the term before. */
export const planOpen = 'plan_open';

/** Whether a renewal waits for instalments. Nobody expects it any more long after the term has ended. */
export function waitsForPlan({ round }: Pick<RenewalRecord, 'round'>, nowUnix: number): boolean {
  return round?.failure === planOpen && nowUnix < round.expiresUnix + announcedDays.first * daySeconds;
}

/** Whether the renewal of a term may have been announced, and then wait for instalments. */
export function mayWaitForPlan(
  { autoRenew, expiresUnix }: { readonly autoRenew: boolean; readonly expiresUnix: number | null },
  nowUnix: number,
): boolean {
  return autoRenew && expiresUnix !== null && nowUnix >= expiresUnix - (announcedDays.first + 1) * daySeconds;
}

/** Makes a renewal that was declined due again: what declined it is over. */
export function tryAgain(renewal: RenewalRecord, nowUnix: number): RenewalRecord {
  const { round } = renewal;
  if (round?.status !== 'failed' && round?.status !== 'action_required') return renewal;
  return { ...renewal, round: { ...round, status: 'failed', retryUnix: nowUnix } };
}

/** The membership renews itself from now on, or does not. A new consent begins with a new announcement. */
export function switchRenewal(
  renewal: RenewalRecord,
  isOn: boolean,
  agreed: Pick<RenewalRecord, 'consent' | 'optionId'>,
): RenewalRecord {
  if (!isOn) return { ...renewal, isOn, round: null };
  const round = renewal.isOn && renewal.optionId === agreed.optionId ? renewal.round : null;
  return { ...renewal, ...agreed, isOn, round };
}

/** A worker that comes a little late does not move what was announced. */
const toleranceSeconds = 3_600;

/** The term that is renewed: its end, and the second of its last day at which it is renewed. */
export interface EndingTerm {
  readonly expiresUnix: number;
  readonly lastDayUnix: number;
}

export type RenewalStep =
  | { readonly step: 'announce' | 'charge' }
  /** Nothing is to be done before then; never, if undefined. */
  | { readonly step: 'wait'; readonly untilUnix: number | undefined };

/** What has to be done for the next renewal, by what was announced and what became of it. */
export function renewalStep(
  { isOn, round }: Pick<RenewalRecord, 'isOn' | 'round'>,
  { expiresUnix, lastDayUnix }: EndingTerm,
  nowUnix: number,
): RenewalStep {
  const never = { step: 'wait', untilUnix: undefined } as const;
  const from = (untilUnix: number, step: 'announce' | 'charge'): RenewalStep =>
    nowUnix >= untilUnix ? { step } : { step: 'wait', untilUnix };
  // Nobody expects the renewal of what ended long ago, nor a charge that was due long ago.
  const isOver = (sinceUnix: number): boolean => nowUnix >= sinceUnix + announcedDays.first * daySeconds;
  const charge = (atUnix: number): RenewalStep => (isOver(atUnix) ? never : from(atUnix, 'charge'));
  if (!isOn) return never;
  if (round?.expiresUnix !== expiresUnix) {
    return isOver(expiresUnix) ? never : from(lastDayUnix - announcedDays.first * daySeconds, 'announce');
  }
  const { status, dueUnix, announcedUnix, retryUnix } = round;
  const againUnix = (status === 'not_offered' ? lastDayUnix : dueUnix) - announcedDays.second * daySeconds;
  const isAnnouncedAgain = announcedUnix.some((atUnix) => atUnix >= againUnix - toleranceSeconds);
  switch (status) {
    case 'announced':
      return isAnnouncedAgain ? charge(dueUnix) : from(againUnix, 'announce');
    case 'not_offered':
      return isAnnouncedAgain ? never : from(againUnix, 'announce');
    case 'failed':
      return retryUnix === null ? never : charge(retryUnix);
    case 'action_required':
      return never;
  }
}

/**
 * Announces the renewal of a term: the date and the amount, or that it is not offered. At least seven days pass before the charge. A
 * repetition that costs no more moves nothing, however late it comes; a dearer one moves the charge to seven days after it.
 */
export function announceRenewal(
  renewal: RenewalRecord,
  { expiresUnix, lastDayUnix }: EndingTerm,
  quote: RenewalQuote | null,
  nowUnix: number,
): RenewalRecord {
  const known = renewal.round?.expiresUnix === expiresUnix ? renewal.round : null;
  const plannedUnix = Math.max(known?.dueUnix ?? 0, lastDayUnix);
  const isRepeated = quote !== null && isAsAnnounced(known, quote);
  const isEnough = plannedUnix - nowUnix >= announcedDays.second * daySeconds - toleranceSeconds;
  const round: RenewalRound = {
    expiresUnix,
    status: quote === null ? 'not_offered' : 'announced',
    dueUnix: isRepeated || isEnough ? plannedUnix : nowUnix + announcedDays.second * daySeconds,
    quote,
    announcedUnix: [...(known?.announcedUnix ?? []), nowUnix],
    attempts: known?.attempts ?? 0,
    failure: null,
    retryUnix: null,
  };
  return { ...renewal, round };
}

/** Whether a renewal costs at most what was announced. */
export function isAsAnnounced(
  round: RenewalRound | null,
  { amountMinor, priceMinor, currency }: RenewalQuote,
): boolean {
  const announced = round?.quote ?? null;
  if (announced === null || announced.currency !== currency) return false;
  return amountMinor <= announced.amountMinor && priceMinor <= announced.priceMinor;
}

/** Longer than a charge takes with all timeouts of the provider. A process that comes later finds its basket settled. */
const leaseSeconds = 60;

/** Takes the lease: the basket is written down before anything is charged. */
export function beginRenewal(renewal: RenewalRecord, basketId: number, nowUnix: number): RenewalRecord {
  const { round } = renewal;
  const attempt = { basketId, startedUnix: nowUnix, leaseUntilUnix: nowUnix + leaseSeconds };
  return { ...renewal, round: round && { ...round, attempts: round.attempts + 1 }, attempt };
}

/** Ends an attempt whose basket can never be charged any more. */
export function dropAttempt(renewal: RenewalRecord): RenewalRecord {
  return { ...renewal, attempt: null };
}

/** The next term is paid. */
export function endRound(renewal: RenewalRecord): RenewalRecord {
  return { ...renewal, attempt: null, round: null };
}

/** The renewal was declined. It is tried again, unless that is useless or was done often enough: then the member has to act. */
export function declineRenewal(
  renewal: RenewalRecord,
  reason: Pick<DeclineReason, 'code'>,
  nowUnix: number,
): RenewalRecord {
  const { round } = renewal;
  if (round === null) return dropAttempt(renewal);
  const retryUnix = retryDeclinedUnix(round.dueUnix, reason, nowUnix);
  const status = retryUnix === undefined ? 'action_required' : 'failed';
  const failed = { ...round, status, failure: reason.code ?? 'declined', retryUnix: retryUnix ?? null } as const;
  return { ...renewal, attempt: null, round: failed };
}
