import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { refundNumberIn } from '../../../shared/http/handlers/from-path/refund-from-path.ts';
import { handledBy } from '../../../shared/http/handlers/input/counter.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem } from '../../../shared/http/problem.ts';
import { orderRefund } from '../../../shared/mappers/order-refund.ts';
import { recordRefundReturn } from '../../../shared/operations/orders/record-refund-return.ts';
import { recordReturn } from '../../../shared/sales/refunds/record-return.ts';

export const handle: Handle<typeof recordRefundReturn> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId } = caller;
  const { orderId } = await requireOrder(table, orgId, params.order_id);
  const number = refundNumberIn(params.refund_id, orderId);
  const returned = await recordReturn(
    { table, orgId, clock, requestId },
    { orderId, number, returnedBy: { kind: body.returned_by, ...handledBy(body) } },
    (order, refund) => receipt(orderRefund(order, refund)),
  );
  switch (returned.outcome) {
    case 'returned':
      return orderRefund(returned.order, returned.refund);
    case 'missing':
      throw notFound('refund');
    case 'not_awaited':
      throw problem(
        'refund_not_awaited',
        'Nobody has to hand the money of this refund over: the provider returns it, or somebody has. Nothing was changed. List the refunds of the order.',
      );
  }
};

export const handler = pipeline(recordRefundReturn, handle);
