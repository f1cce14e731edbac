import { useState } from 'preact/hooks';
import { money, secondOf } from '../../site/browser/state/format.ts';
import { Action } from './action.tsx';
import { officeCall } from './api.ts';
import type { OfficeOrder, OrderRefund } from './resources.ts';
import { paidByHand, ReturnedByField } from './returned-by.tsx';

const refundWords = {
  pending: 'on its way: this takes about a minute',
  succeeded: 'returned',
  failed: 'the payment provider refused it: nothing was returned',
} as const;

/** Whether the payment provider is returning it, and nobody has to do anything. */
export const isOnItsWay = ({ status, to_return }: OrderRefund): boolean => status === 'pending' && to_return === 0;

interface RefundsProps {
  readonly order: OfficeOrder;
  readonly refunds: readonly OrderRefund[];
  readonly timezone: string;
  readonly onChanged: (message: string) => void;
}

/** The refunds of an order. What staff still have to hand over is recorded here. */
export function Refunds({ order, refunds, timezone, onChanged }: RefundsProps) {
  if (refunds.length === 0) return null;
  return (
    <section class="stack">
      <h2>Refunds</h2>
      <ul class="lines">
        {refunds.map((refund) => (
          <li key={refund.refund_id} class="line">
            <span>
              {money(refund.amount, order.currency)},{' '}
              {refund.to_return > 0 ? 'to be handed over' : refundWords[refund.status]}
              {refund.kept > 0 && refund.status !== 'failed' && `; ${money(refund.kept, order.currency)} is kept`}
              <span class="hint">
                {[secondOf(refund.created, timezone), refund.reason].filter(Boolean).join(' · ')}
              </span>
            </span>
            {refund.to_return > 0 && <HandOver {...{ order, refund, onChanged }} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface HandOverProps extends Pick<RefundsProps, 'order' | 'onChanged'> {
  readonly refund: OrderRefund;
}

function HandOver({ order, refund, onChanged }: HandOverProps) {
  const [returnedBy, setReturnedBy] = useState(paidByHand(order) ?? 'cash');
  const amount = money(refund.to_return, order.currency);

  async function record(idempotencyKey: string): Promise<void> {
    const path = `/v1/orders/${order.order_id}/refunds/${refund.refund_id}/return`;
    await officeCall('POST', path, { body: { returned_by: returnedBy }, idempotencyKey });
    onChanged(`${amount} was handed over.`);
  }

  return (
    <Action
      act={record}
      ask={{
        title: `${amount} was handed over?`,
        text: <ReturnedByField value={returnedBy} onChoose={setReturnedBy} />,
        yes: `${amount} was handed over`,
      }}
    >
      Handed over
    </Action>
  );
}
