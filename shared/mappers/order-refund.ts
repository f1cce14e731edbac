import { majorUnits } from '../domain/money.ts';
import type { OrderRecord } from '../domain/orders/order.ts';
import type { RefundRecord } from '../domain/orders/refund.ts';
import type { OrderRefund } from '../operations/schemas/order-refund.ts';

const statuses = { pending: 'pending', done: 'succeeded', refused: 'failed' } as const;

export function orderRefund(
  { orderId, currency }: Pick<OrderRecord, 'orderId' | 'currency'>,
  refund: RefundRecord,
): OrderRefund {
  return {
    refund_id: `${orderId}-${refund.number}`,
    order_id: orderId,
    status: statuses[refund.state],
    amount: majorUnits(refund.amountMinor, currency),
    currency,
    ticket_ids: [...refund.ticketIds],
    membership_member_ids: [...refund.memberIds],
    reason: refund.reason,
    created: refund.startedUnix,
  };
}
