import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { returnedByOf } from '../../../shared/http/handlers/input/counter.ts';
import { unwrapRequestedRefund } from '../../../shared/http/handlers/problems/order-change-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { orderRefund } from '../../../shared/mappers/order-refund.ts';
import { refundOrder } from '../../../shared/operations/orders/refund-order.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';

export const handle: Handle<typeof refundOrder> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId } = caller;
  const { orderId } = await requireOrder(table, orgId, params.order_id);
  const isWhole = body.ticket_ids === null && body.membership_member_ids === null;
  const tickets = isWhole ? 'all' : [...new Set(body.ticket_ids)];
  const members = isWhole ? 'all' : [...new Set(body.membership_member_ids)];
  const requested = await requestRefund(
    { table, orgId, clock, requestId },
    { orderId, tickets, members, reason: body.reason, keep: body.keep, returnedBy: returnedByOf(body, caller) },
    (order, recorded) => receipt(orderRefund(order, recorded)),
  );
  const { order, refund } = unwrapRequestedRefund(requested);
  return orderRefund(order, refund);
};

export const handler = pipeline(refundOrder, handle);
