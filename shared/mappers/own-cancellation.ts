import { majorUnits } from '../domain/money.ts';
import type { OwnCancellation } from '../domain/orders/own-cancellation.ts';
import type { OwnCancellation as Resource } from '../operations/schemas/own-cancellation.ts';
import { orderRefund } from './order-refund.ts';

export function ownCancellationResource(cancelled: OwnCancellation): Resource {
  const { order, ticketId, amountMinor, keptMinor, untilUnix, refund } = cancelled;
  return {
    ticket_id: ticketId,
    order_id: order.orderId,
    amount: majorUnits(amountMinor, order.currency),
    kept: majorUnits(keptMinor, order.currency),
    currency: order.currency,
    until_unix: untilUnix,
    refund: refund && orderRefund(order, refund),
  };
}
