import { chargeablePart } from '../money.ts';
import { type EndingMember, isCurrentAt } from './end.ts';
import { hasOpenInstalments, isCancelledMember, isUnpaidMember, type MemberStatusId } from './status.ts';
import { localDayOfMonth, type MemberBefore, type TermRecord, type TermRule, termEndUnix } from './term.ts';

/** A member as it was when its next term was put into a basket. */
export interface RenewedMember {
  readonly memberId: number;
  readonly expiresUnix: number | null;
  readonly orderId: string | null;
  /** Its customer; absent if it had none. */
  readonly userId?: number | undefined;
  /** The term that the new one replaces. */
  readonly replacedTermId?: number | null | undefined;
}

/** A renewal follows the last term; a change of type replaces it from now on. */
export const termChanges = ['renews', 'replaces'] as const;

/** The next term of members that exist: of all who were bought together. */
export interface NextTerm {
  readonly change: (typeof termChanges)[number];
  /** What was paid for the rest of the replaced terms. */
  readonly creditMinor: number;
  readonly members: readonly RenewedMember[];
  /** The day of the month on which their terms end (`dayOfTerms`); absent if they were not bought here. */
  readonly day?: number | undefined;
  /** The customer of the members, or the member itself if it has none, as limits per member know it. */
  readonly owner: string;
}

/** What decides whether a member can have its next term. */
export interface RenewableMember extends Omit<RenewedMember, 'replacedTermId' | 'userId'> {
  readonly userId?: number | null | undefined;
  readonly statusId: MemberStatusId;
  /** The refund of its last term that is not carried out yet. */
  readonly pendingRefund: object | null;
}

/** Whether the last term of one of the members of a renewal is being refunded. */
export function isBeingRefunded({ members }: NextTerm, current: ReadonlyMap<number, RenewableMember>): boolean {
  return members.some(({ memberId }) => (current.get(memberId)?.pendingRefund ?? null) !== null);
}

/**
 * Whether no other order has changed the members since, and none belongs to another customer. If one has, the term that was offered may
 * be paid for already. A term is replaced that was paid: a share that is owed again was returned, and is not credited too. A member
 * has one plan: who owes instalments begins no other.
 */
export function isStillNext(
  { change, members }: NextTerm,
  current: ReadonlyMap<number, RenewableMember>,
  { beginsPlan }: { readonly beginsPlan: boolean },
): boolean {
  return members.every(({ memberId, expiresUnix, orderId, userId }) => {
    const now = current.get(memberId);
    if (userId !== undefined && now?.userId !== userId) return false;
    if ((change === 'replaces' || beginsPlan) && now !== undefined && hasOpenInstalments(now)) return false;
    return now !== undefined && !isCancelledMember(now) && now.expiresUnix === expiresUnix && now.orderId === orderId;
  });
}

export interface TermDates {
  readonly fromUnix: number;
  readonly untilUnix: number | null;
}

/**
 * From when to when the next term is valid: from the end of the last one, or from now if the membership has lapsed. Undefined if it would add
 * nothing. A term ends with the first second of a day, so the day before decides how many months later it ends.
 */
export function nextTermDates(
  type: TermRule,
  member: EndingMember,
  {
    nowUnix,
    timezone,
    day,
  }: { readonly nowUnix: number; readonly timezone: string; readonly day?: number | undefined },
): TermDates | undefined {
  const { expiresUnix } = member;
  if (expiresUnix === null) return undefined;
  const isLapsed = !isCurrentAt(member, nowUnix);
  const fromUnix = isLapsed ? nowUnix : expiresUnix;
  const untilUnix = isLapsed ? termEndUnix(type, nowUnix, timezone) : termEndUnix(type, expiresUnix - 1, timezone, day);
  return untilUnix === null || untilUnix > fromUnix ? { fromUnix, untilUnix } : undefined;
}

/** From when to when a term is valid that replaces another one. Undefined if it has ended already. */
export function replacingTermDates(
  type: TermRule,
  { nowUnix, timezone }: { readonly nowUnix: number; readonly timezone: string },
): TermDates | undefined {
  const untilUnix = termEndUnix(type, nowUnix, timezone);
  return untilUnix === null || untilUnix > nowUnix ? { fromUnix: nowUnix, untilUnix } : undefined;
}

/**
 * What was paid for the rest of a term, rounded down to what can be charged and returned. What was paid for the rest of a term that it
 * replaced was paid for this one. A term without an end has no rest that could be counted, and one that was given away has nothing to
 * credit: it may be longer than what it replaced.
 */
export function restMinor(term: TermRecord, terms: readonly TermRecord[], nowUnix: number): number {
  const { fromUnix, untilUnix, priceMinor, currency, replacesTermId } = term;
  if (untilUnix === null || nowUnix >= untilUnix || term.isComplimentary === true) return 0;
  const replaced = terms.find(({ termId }) => termId === replacesTermId);
  const paidMinor = priceMinor + (replaced === undefined ? 0 : restMinor(replaced, terms, fromUnix));
  const usedSeconds = Math.max(0, nowUnix - fromUnix);
  const termSeconds = untilUnix - fromUnix;
  return chargeablePart((paidMinor * (termSeconds - usedSeconds)) / termSeconds, currency);
}

/** The orders whose money the rest of a term was paid with: its own, and those of the terms that it replaced. */
export function ordersOfRest(termId: number, terms: readonly TermRecord[]): readonly number[] {
  const term = terms.find((one) => one.termId === termId);
  if (term === undefined) return [];
  const { orderId, replacesTermId } = term;
  return [orderId, ...(replacesTermId === null ? [] : ordersOfRest(replacesTermId, terms))];
}

const byStart = (one: TermRecord, other: TermRecord): number => one.fromUnix - other.fromUnix;

/** Whether an active term has replaced this one. It is not written in the term: when that one is refunded, this one goes on. */
export function isReplaced(terms: readonly TermRecord[], termId: number): boolean {
  return terms.some(({ state, replacesTermId }) => state === 'active' && replacesTermId === termId);
}

/** The terms that are neither refunded, cancelled nor replaced, the first to begin first. */
export function activeTerms(terms: readonly TermRecord[]): readonly TermRecord[] {
  return terms.filter(({ state, termId }) => state === 'active' && !isReplaced(terms, termId)).toSorted(byStart);
}

/**
 * The day of the month on which the terms of a member end: that of the first of those that adjoin the last one. A shorter month
 * in between does not change it. Undefined without terms.
 */
export function dayOfTerms(terms: readonly TermRecord[], timezone: string): number | undefined {
  const active = activeTerms(terms);
  let first = active.at(-1);
  for (const term of active.toReversed()) if (term.untilUnix === first?.fromUnix) first = term;
  if (first === undefined) return undefined;
  const { before, fromUnix } = first;
  // A membership that was not bought here ends with the first second of the day after.
  const isContinued = before !== null && before.expiresUnix === fromUnix;
  return localDayOfMonth(isContinued ? fromUnix - 1 : fromUnix, timezone);
}

/** Whether this term is active or replaced, and another one follows it. */
export function hasLaterTerm(terms: readonly TermRecord[], termId: number): boolean {
  if (isReplaced(terms, termId)) return true;
  const active = activeTerms(terms);
  const own = active.findIndex((term) => term.termId === termId);
  return own !== -1 && own < active.length - 1;
}

/** What the member had before its first term. A term that replaces another one is not the first, even in the same second. */
function firstBefore(terms: readonly TermRecord[]): MemberBefore | null {
  return terms.filter(({ replacesTermId }) => replacesTermId === null).toSorted(byStart)[0]?.before ?? null;
}

/** What the terms of a member say of it: `ended` if no term is left, and the member had nothing before them. */
export function memberOfTerms(
  terms: readonly TermRecord[],
): (Pick<MemberBefore, 'expiresUnix' | 'orderId'> & Partial<Pick<MemberBefore, 'statusId'>>) | 'ended' {
  const last = activeTerms(terms).at(-1);
  if (last !== undefined) return { expiresUnix: last.untilUnix, orderId: String(last.orderId) };
  const before = firstBefore(terms);
  if (before === null) return 'ended';
  const { expiresUnix, orderId, statusId } = before;
  return { expiresUnix, orderId, ...(isUnpaidMember(before) && { statusId }) };
}

/** The type that a member has by its terms; undefined if they do not say. It changes when a term begins. */
export function typeOfTerms(terms: readonly TermRecord[], nowUnix: number): number | undefined {
  const begun = activeTerms(terms).filter(({ fromUnix }) => fromUnix <= nowUnix);
  return begun.at(-1)?.typeId ?? firstBefore(terms)?.typeId ?? undefined;
}
