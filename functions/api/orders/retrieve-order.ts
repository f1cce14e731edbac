import { readEvent } from '../../../shared/data/events/read.ts';
import { readOrderAt } from '../../../shared/data/orders/read.ts';
import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { orderWithTickets } from '../../../shared/mappers/order.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';

export const handle: Handle<typeof retrieveOrder> = async ({ params }, { caller, table }) => {
  const { orgId } = caller;
  const ref = await requireOrder(table, orgId, params.order_id);
  const [placed, event] = await Promise.all([readOrderAt(table, orgId, ref), readEvent(table, orgId, ref.eventId)]);
  return orderWithTickets(placed, event);
};

export const handler = pipeline(retrieveOrder, handle);
