import { type MemberChange, withFields } from '../../data/members/change.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { cancelledNow } from '../../domain/members/cancellation.ts';
import { isSold, type OrderWithTickets } from '../../domain/orders/order.ts';
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

interface RecordedRefund {
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
