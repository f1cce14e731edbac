import { readEvent } from '../../../shared/data/events/read.ts';
import { findOrderClaim, readClaimedOrder } from '../../../shared/data/orders/read.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { orderWithTickets } from '../../../shared/mappers/order.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';

export const retrieve: Handle<typeof retrieveOrder> = async ({ params }, { caller, table }) => {
  const { orgId } = caller;
  const claim = await findOrderClaim(table, orgId, params.order_id);
  if (claim === undefined) throw notFound('order');
  const [placed, event] = await Promise.all([
    readClaimedOrder(table, orgId, claim),
    readEvent(table, orgId, claim.eventId),
  ]);
  return orderWithTickets(placed, event);
};

export const handler = pipeline(retrieveOrder, retrieve);
