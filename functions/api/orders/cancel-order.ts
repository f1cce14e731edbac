import { readEvent } from '../../../shared/data/events/read.ts';
import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { unwrapCancelledOrder } from '../../../shared/http/handlers/problems/order-change-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { orderWithTickets } from '../../../shared/mappers/order.ts';
import { cancelOrder } from '../../../shared/operations/orders/cancel-order.ts';
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
  const { after } = unwrapCancelledOrder(ended, orderId);
  return orderWithTickets(after, await readEvent(table, orgId, eventId));
};

export const handler = pipeline(cancelOrder, handle);
