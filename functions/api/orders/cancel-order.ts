import { readEvent } from '../../../shared/data/events/read.ts';
import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { laterTermExists } from '../../../shared/http/handlers/problems/later-term-exists.ts';
import { refundInProgress } from '../../../shared/http/handlers/problems/refund-in-progress.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem, referenceMissing } from '../../../shared/http/problem.ts';
import { orderWithTickets } from '../../../shared/mappers/order.ts';
import { cancelOrder } from '../../../shared/operations/orders/cancel-order.ts';
import { Fault } from '../../../shared/platform/fault.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';

export const handle: Handle<typeof cancelOrder> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId } = caller;
  const { orderId, eventId } = await requireOrder(table, orgId, params.order_id);
  const tickets = body.ticket_ids ?? 'all';
  const members = body.ticket_ids === null ? 'all' : [];
  const wanted = { tickets, members, to: 'cancelled', allOrNothing: true } as const;
  const ended = await cancelOrRefundTickets({ table, orgId, clock, requestId }, orderId, wanted, {
    sideEffects: ({ after }, { event }) => receipt(orderWithTickets(after, event)),
  });
  switch (ended.outcome) {
    case 'missing':
      throw notFound('order');
    case 'unknown_members':
    case 'unknown_tickets':
      throw referenceMissing('ticket in this order', 'ticket_ids');
    case 'refused':
      throw new Fault(`The stock of the order ${orderId} is missing.`);
    case 'later_term':
      throw laterTermExists(ended.memberIds);
    case 'plan_open':
      throw problem(
        'plan_open',
        'A membership of this order is not paid completely. Nothing was changed. Refund it with refund-order, which also ends what is owed, or name the tickets to cancel.',
      );
    case 'charge_in_progress':
      throw problem(
        'payment_in_progress',
        'The renewal of a membership of this order is being charged. Nothing was changed. Try again in a minute.',
        { retryAfterSeconds: 60 },
      );
    case 'refund_in_progress':
      throw refundInProgress('Nothing was changed.');
    case 'unchanged':
      throw notActive();
    case 'changed':
      return orderWithTickets(ended.change.after, await readEvent(table, orgId, eventId));
  }
};

function notActive() {
  const message =
    'A ticket is cancelled or refunded already, or none is left to cancel. Nothing was changed. Retrieve the order.';
  return problem('ticket_not_active', message, { param: 'ticket_ids' });
}

export const handler = pipeline(cancelOrder, handle);
