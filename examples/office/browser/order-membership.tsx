import { nameOf } from './people.tsx';
import { together } from './refund-amount.ts';
import type { OfficeOrder, OrderRefund } from './resources.ts';

interface MembershipProps {
  readonly membership: OfficeOrder['memberships'][number];
  readonly order: OfficeOrder;
  readonly refunds: readonly OrderRefund[];
  readonly isChosen: boolean;
  /** Undefined if it cannot be chosen any more. */
  readonly onChoose: (() => void) | undefined;
}

/** A membership of an order, to choose it. */
export function OrderMembership({ membership, order, refunds, isChosen, onChoose }: MembershipProps) {
  const { membership_member_id: id, type_title, member_number } = membership;
  const refund = refunds.find(({ status, membership_member_ids: of }) => status !== 'failed' && of.includes(id));
  const facts = [
    nameOf(membership),
    member_number && `member ${member_number}`,
    refund === undefined && together(order, id).length > 1 && 'can only be refunded with the others of this membership',
  ];
  return (
    <li class="line">
      <label class="choice">
        <input type="checkbox" disabled={onChoose === undefined} checked={isChosen} onChange={onChoose} />
        <span>
          {type_title} {refund?.status === 'pending' && <span class="tag">Refund on its way</span>}
          {refund?.status === 'succeeded' && <span class="tag bad">Refunded</span>}
          <span class="hint">{facts.filter(Boolean).join(' · ')}</span>
        </span>
      </label>
    </li>
  );
}
