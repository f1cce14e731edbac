import { type MemberChange, withFields } from '../../data/members/change.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { termsOfMember } from '../../data/terms/terms.ts';
import { cancelledNow } from '../../domain/members/cancellation.ts';
import { memberOfTerms } from '../../domain/members/next-term.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import { isSold, type OrderWithTickets } from '../../domain/orders/order.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { CheckoutDeps } from '../deps.ts';

/** Reads the members whose last term a refund returns. A membership that ended before has no term that could be renewed. */
export async function membersOfRefund(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { memberships }: Pick<OrderWithTickets, 'memberships'>,
  memberIds: readonly number[],
): Promise<readonly MemberRecord[]> {
  const sold = memberships.filter((one) => memberIds.includes(one.memberId) && isSold(one));
  const found = await Promise.all(sold.map(({ memberId }) => readMember(table, orgId, memberId)));
  return found.filter((member) => member !== undefined);
}

export interface RecordedRefund {
  readonly orderId: number;
  readonly number: number;
  readonly nowUnix: number;
}

/**
 * The members while their refund is pending: their term is neither renewed nor replaced. Whoever renews a member writes its row too, so
 * of a refund and a renewal at the same moment the second decides again.
 */
export function withPendingRefund(
  members: readonly MemberRecord[],
  { orderId, number, nowUnix }: RecordedRefund,
): MemberChange[] {
  return members.map((before) => ({
    before,
    after: withFields(before, { pendingRefund: { orderId, number, before: null } }, nowUnix),
  }));
}

/**
 * The terms whose members lose access with the request of their refund. A member with another term that is valid keeps it, and
 * returns to it when the money is returned.
 */
export async function termsEndingNow(
  { table, orgId, clock }: Pick<CheckoutDeps, 'table' | 'orgId' | 'clock'>,
  { memberships }: Pick<OrderWithTickets, 'memberships'>,
  members: readonly MemberRecord[],
  { endsAccess = false }: { readonly endsAccess?: boolean },
): Promise<ReadonlyMap<number, TermRecord>> {
  if (!endsAccess) return new Map();
  const nowUnix = unixSeconds(clock);
  const found = members.map(async ({ memberId }) => {
    const own = memberships.find((one) => one.memberId === memberId)?.termId;
    const terms = await termsOfMember(table, orgId, memberId);
    const term = terms.find(({ termId, state }) => termId === own && state === 'active');
    const left = memberOfTerms(terms.map((one) => (one === term ? { ...one, state: 'refunded' } : one)));
    const isOver = left === 'ended' || (left.expiresUnix !== null && left.expiresUnix <= nowUnix);
    return term !== undefined && isOver ? [[memberId, term] as const] : [];
  });
  return new Map((await Promise.all(found)).flat());
}

/** The members that are cancelled with the refund that is pending. If it is refused, they are what they were. */
export function cancelledWithRefund(
  members: readonly MemberRecord[],
  { orderId, number, nowUnix }: RecordedRefund,
): MemberChange[] {
  return members.map((before) => {
    const { statusId, autoRenew, overdueSinceUnix, cancelledUnix } = before;
    const was = { statusId, autoRenew, overdueSinceUnix, cancelledUnix };
    const fields = { ...cancelledNow(before, nowUnix), pendingRefund: { orderId, number, before: was } };
    return { before, after: withFields(before, fields, nowUnix) };
  });
}
