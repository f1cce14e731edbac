import { readEvent } from '../../../shared/data/events/read.ts';
import { setOrderMetadata as set } from '../../../shared/data/orders/set-metadata.ts';
import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { orderWithTickets } from '../../../shared/mappers/order.ts';
import { setOrderMetadata } from '../../../shared/operations/orders/set-order-metadata.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof setOrderMetadata> = async ({ params, body }, { caller, table, clock }) => {
  const { orgId } = caller;
  const ref = await requireOrder(table, orgId, params.order_id);
  const [placed, event] = await Promise.all([
    set(table, orgId, { ref, change: body.metadata, nowUnix: unixSeconds(clock) }),
    readEvent(table, orgId, ref.eventId),
  ]);
  return orderWithTickets(placed, event);
};

export const handler = pipeline(setOrderMetadata, handle);
