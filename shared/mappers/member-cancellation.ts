import type { MemberRecord } from '../data/members/row.ts';
import type { CancelTime } from '../domain/members/cancellation.ts';
import type { OrderRecord } from '../domain/orders/order.ts';
import type { RefundRecord } from '../domain/orders/refund.ts';
import type { MemberCancellation } from '../operations/schemas/member-cancellation.ts';
import { cancellationEnd } from './member-events.ts';
import { orderRefund } from './order-refund.ts';

/** What was cancelled: everybody who was bought together, and the refund that was recorded. */
export interface Cancelled {
  readonly members: readonly MemberRecord[];
  readonly refund: { readonly order: OrderRecord; readonly recorded: RefundRecord } | undefined;
}

export function memberCancellation({ members, refund }: Cancelled, when: CancelTime): MemberCancellation {
  const [first] = members;
  return {
    membership_member_ids: members.map(({ memberId }) => memberId),
    when,
    ends_at: first === undefined ? null : cancellationEnd(first, when),
    refund: refund === undefined ? null : orderRefund(refund.order, refund.recorded),
  };
}
