import { type OrderMembership, withWholeLines } from '../orders/membership.ts';
import { isSold } from '../orders/order.ts';

/**
 * `unconfirmed`: a page sent it for an address that nobody has proved; it does nothing. `received`: it waits for the staff. The others are
 * final.
 */
export const withdrawalStatuses = ['unconfirmed', 'received', 'accepted', 'refused'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/** A buyer's withdrawal from memberships of an order. It names nobody: the order does. */
export interface Withdrawal {
  readonly withdrawalId: string;
  readonly orderId: number;
  readonly memberIds: readonly number[];
  /** Their terms in the order: an open withdrawal of a term is the only one. */
  readonly termIds: readonly number[];
  readonly status: WithdrawalStatus;
  /** The first request, also if it was confirmed later. */
  readonly receivedUnix: number;
  /** The first second after the period. */
  readonly periodEndsUnix: number;
  /** Null while it is not confirmed. */
  readonly used: boolean | null;
  readonly currency: string;
  /** What is returned; null while nobody has decided, and if it was refused. */
  readonly amountMinor: number | null;
  /** The refund among those of the order; null if there is none. */
  readonly refundNumber: number | null;
  /** Why it was refused. */
  readonly reason: string | null;
  /** When the request was made that is to be confirmed; its `confirm_token` is no other's. Null if it was received at once. */
  readonly requestedUnix: number | null;
  readonly decidedUnix: number | null;
  readonly version: number;
}

/** Anybody can type an address: for how long a request can be confirmed, and how often its owner is written to. */
export const requestSeconds = 86_400;

export const isConfirmable = ({ requestedUnix }: Pick<Withdrawal, 'requestedUnix'>, nowUnix: number): boolean =>
  requestedUnix !== null && nowUnix < requestedUnix + requestSeconds;

export const isDecided = ({ status }: Pick<Withdrawal, 'status'>): boolean =>
  status === 'accepted' || status === 'refused';

/** A membership that was sold with a right of withdrawal. */
export interface Withdrawable extends OrderMembership {
  readonly withdrawalEndsUnix: number;
}

/**
 * The memberships that a buyer withdraws from: by default all that can be. People who bought one membership together withdraw together.
 * `unknown`: the order has no such member. `not_offered`: there is no right of withdrawal, or the membership has ended.
 */
export function withdrawableOf(
  memberships: readonly OrderMembership[],
  memberIds: readonly number[] | null,
): readonly Withdrawable[] | 'unknown' | 'not_offered' {
  const known = new Set(memberships.map(({ memberId }) => memberId));
  if (memberIds?.some((memberId) => !known.has(memberId)) === true) return 'unknown';
  const chosen = memberIds === null ? memberships : withWholeLines(memberships, memberIds);
  const found = chosen.filter((one): one is Withdrawable => isSold(one) && one.withdrawalEndsUnix !== undefined);
  const isEach = memberIds === null || found.length === chosen.length;
  return found.length > 0 && isEach ? found : 'not_offered';
}

/** The period of all of them together: that of the first to end. */
export const periodEndOf = (memberships: readonly Withdrawable[]): number =>
  Math.min(...memberships.map(({ withdrawalEndsUnix }) => withdrawalEndsUnix));

/** What a member has done with a membership: when it entered events, and when it last bought a price for members. */
export interface MemberUse {
  readonly enteredUnix: readonly number[];
  readonly boughtUnix: number | null;
}

/** Whether a term was used since it began. */
export function isUsedSince({ enteredUnix, boughtUnix }: MemberUse, fromUnix: number): boolean {
  return [...enteredUnix, ...(boughtUnix === null ? [] : [boughtUnix])].some((unix) => unix >= fromUnix);
}
