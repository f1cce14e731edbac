import { requestRefund } from '../../../shared/checkout/request-refund.ts';
import { requireOrder } from '../../../shared/http/handlers/order-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem, referenceMissing } from '../../../shared/http/problem.ts';
import { orderRefund } from '../../../shared/mappers/order-refund.ts';
import { refundOrder } from '../../../shared/operations/orders/refund-order.ts';

export const handle: Handle<typeof refundOrder> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId } = caller;
  const { orderId } = await requireOrder(table, orgId, params.order_id);
  const tickets = body.ticket_ids === null ? 'all' : [...new Set(body.ticket_ids)];
  const requested = await requestRefund(
    { table, orgId, clock, requestId },
    { orderId, tickets, reason: body.reason },
    (order, recorded) => receipt(orderRefund(order, recorded)),
  );
  switch (requested.outcome) {
    case 'missing':
      throw notFound('order');
    case 'unknown_tickets':
      throw referenceMissing('ticket in this order', 'ticket_ids');
    case 'already_refunded':
      throw alreadyRefunded(requested.ticketIds);
    case 'recorded':
      return orderRefund(requested.order, requested.refund);
  }
};

function alreadyRefunded(ticketIds: readonly number[]) {
  const what =
    ticketIds.length === 0 ? 'Nothing is left to refund' : `Tickets ${ticketIds.join(', ')} cannot be refunded`;
  const message = `${what}: refunded already, or a refund is pending. Nothing was changed. List the refunds of the order.`;
  return problem('ticket_already_refunded', message, ticketIds.length === 0 ? {} : { param: 'ticket_ids' });
}

export const handler = pipeline(refundOrder, handle);
