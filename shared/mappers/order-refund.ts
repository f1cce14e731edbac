import { majorUnits } from '../domain/money.ts';
import type { OrderRecord } from '../domain/orders/order.ts';
import type { RefundRecord } from '../domain/orders/refund.ts';
import type { OrderRefund } from '../operations/schemas/order-refund.ts';
import type { RefundToReturn } from '../operations/schemas/refund-to-return.ts';
import { shownEventId } from './order.ts';

const statuses = { pending: 'pending', done: 'succeeded', refused: 'failed' } as const;

/** One that the provider accepted and did not return, or not completely, has failed too. */
export function refundStatus({ state, failedCharges = [] }: Pick<RefundRecord, 'state' | 'failedCharges'>) {
  return failedCharges.length > 0 ? 'failed' : statuses[state];
}

export function orderRefund(
  { orderId, currency }: Pick<OrderRecord, 'orderId' | 'currency'>,
  refund: RefundRecord,
): OrderRefund {
  return {
    refund_id: `${orderId}-${refund.number}`,
    order_id: orderId,
    status: refundStatus(refund),
    amount: majorUnits(refund.amountMinor, currency),
    to_return: refund.awaitsReturn === true ? majorUnits(refund.amountMinor, currency) : 0,
    returned_by: refund.returnedBy?.kind ?? null,
    kept: majorUnits(refund.keptMinor ?? 0, currency),
    currency,
    ticket_ids: [...refund.ticketIds],
    membership_member_ids: [...refund.memberIds],
    reason: refund.reason,
    created: refund.startedUnix,
  };
}

/** The refunds of an order that somebody still has to hand over. */
export function refundsToReturn(order: OrderRecord): readonly RefundToReturn[] {
  return order.refundsElsewhere
    .filter(({ awaitsReturn }) => awaitsReturn === true)
    .map((refund) => ({ ...orderRefund(order, refund), event_id: shownEventId(order) }));
}
