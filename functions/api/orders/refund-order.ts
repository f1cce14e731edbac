import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { laterTermExists } from '../../../shared/http/handlers/problems/later-term-exists.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem, referenceMissing } from '../../../shared/http/problem.ts';
import { orderRefund } from '../../../shared/mappers/order-refund.ts';
import { refundOrder } from '../../../shared/operations/orders/refund-order.ts';
import { type RequestedRefund, requestRefund } from '../../../shared/sales/refunds/request-refund.ts';

export const handle: Handle<typeof refundOrder> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId } = caller;
  const { orderId } = await requireOrder(table, orgId, params.order_id);
  const isWhole = body.ticket_ids === null && body.membership_member_ids === null;
  const tickets = isWhole ? 'all' : [...new Set(body.ticket_ids)];
  const members = isWhole ? 'all' : [...new Set(body.membership_member_ids)];
  const requested = await requestRefund(
    { table, orgId, clock, requestId },
    { orderId, tickets, members, reason: body.reason },
    (order, recorded) => receipt(orderRefund(order, recorded)),
  );
  switch (requested.outcome) {
    case 'missing':
      throw notFound('order');
    case 'unknown_tickets':
      throw referenceMissing('ticket in this order', 'ticket_ids');
    case 'unknown_members':
      throw referenceMissing('membership in this order', 'membership_member_ids');
    case 'later_term':
      throw laterTermExists(requested.memberIds);
    case 'charge_in_progress':
      throw problem(
        'payment_in_progress',
        'An instalment or the renewal of a membership in this order is being charged. Nothing was changed. Try again in a minute.',
        { retryAfterSeconds: 60 },
      );
    case 'already_refunded':
      throw alreadyRefunded(requested);
    case 'recorded':
      return orderRefund(requested.order, requested.refund);
  }
};

function alreadyRefunded({ ticketIds, memberIds }: Extract<RequestedRefund, { outcome: 'already_refunded' }>) {
  const taken = [
    ...(ticketIds.length > 0 ? [`Tickets ${ticketIds.join(', ')}`] : []),
    ...(memberIds.length > 0 ? [`Memberships of ${memberIds.join(', ')}`] : []),
  ];
  const what = taken.length === 0 ? 'Nothing is left to refund' : `${taken.join(' and ')} cannot be refunded`;
  const param = ticketIds.length > 0 ? 'ticket_ids' : 'membership_member_ids';
  const message = `${what}: refunded already, or a refund is pending. Nothing was changed. List the refunds of the order.`;
  return problem('ticket_already_refunded', message, taken.length === 0 ? {} : { param });
}

export const handler = pipeline(refundOrder, handle);
