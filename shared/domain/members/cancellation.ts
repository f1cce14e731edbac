import { cancelledStatus, isCancelledMember, type MemberStatusId } from './status.ts';

/** When a membership that is cancelled ends: at once, or with its last term. */
export const cancelTimes = ['now', 'end'] as const;
export type CancelTime = (typeof cancelTimes)[number];

/** What a cancellation returns: nothing, what was paid for the rest of the term, or everything that was paid for it. */
export const cancelRefunds = ['none', 'unused', 'all'] as const;
export type CancelRefund = (typeof cancelRefunds)[number];

export interface CancelledFields {
  readonly statusId: MemberStatusId;
  readonly autoRenew: boolean;
  readonly overdueSinceUnix: number | null;
  readonly cancelledUnix: number | null;
}

/** A member that is cancelled at once: nothing renews it, and nothing is owed for it. */
export function cancelledNow(member: CancelledFields, nowUnix: number): Partial<CancelledFields> {
  if (isCancelledMember(member)) return {};
  return { statusId: cancelledStatus, autoRenew: false, overdueSinceUnix: null, cancelledUnix: nowUnix };
}

/** A refund of a member's last term that is recorded and not carried out. Until it ends, the term is neither renewed nor replaced. */
export interface MemberRefund {
  readonly orderId: number;
  readonly number: number;
  /** What the member had before it was cancelled with the refund; null if the member goes on until the money is returned. */
  readonly before: CancelledFields | null;
}

/** The member of a refund that was refused: what was changed when the refund was recorded is as it was. */
export function afterRefusedRefund({
  before,
}: MemberRefund): Partial<CancelledFields> & { readonly pendingRefund: null } {
  return { ...before, pendingRefund: null };
}

/** A member that does not renew itself any more, nor again if the refund that has cancelled it is refused. */
export function notRenewing({ pendingRefund }: { readonly pendingRefund: MemberRefund | null }): {
  readonly autoRenew: false;
  readonly pendingRefund?: MemberRefund;
} {
  const before = pendingRefund?.before ?? null;
  if (pendingRefund === null || before?.autoRenew !== true) return { autoRenew: false };
  return { autoRenew: false, pendingRefund: { ...pendingRefund, before: { ...before, autoRenew: false } } };
}

/** A member that is cancelled for the end keeps its status, and lapses with its last term. The first cancellation counts. */
export function cancelledForEnd(
  { cancelledUnix }: Pick<CancelledFields, 'cancelledUnix'>,
  nowUnix: number,
): Partial<CancelledFields> {
  return { autoRenew: false, cancelledUnix: cancelledUnix ?? nowUnix };
}

/** Whether a member renews itself by a record that is on: not if it was cancelled for the end. set-auto-renew lets it stay after all. */
export function renewsBy(
  { isOn }: { readonly isOn: boolean },
  { cancelledUnix }: Pick<CancelledFields, 'cancelledUnix'>,
): boolean {
  return isOn && cancelledUnix === null;
}

interface PaidTerm {
  /** What was paid for the rest of the term, if all of its price was. */
  readonly restMinor: number;
  /** What was paid for the term, and what of its price was never paid. */
  readonly paidMinor: number;
  readonly unpaidMinor: number;
}

/** What was paid and not used: nobody gets more back than was paid, and who used more than was paid gets nothing. */
export function unusedMinor({ restMinor, paidMinor, unpaidMinor }: PaidTerm): number {
  return Math.max(0, Math.min(paidMinor, restMinor - unpaidMinor));
}
