import { listOrders } from '../../../shared/data/orders/list.ts';
import { parseEventId, readEventFromPath } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { orderResource } from '../../../shared/mappers/order.ts';
import { listEventOrders } from '../../../shared/operations/events/list-event-orders.ts';

export const handle: Handle<typeof listEventOrders> = async ({ params, query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const listing = {
    orgId,
    eventId,
    status: query.order_status,
    search: query.search,
    range: { after: query.unix_start, before: query.unix_end },
    page: query.page_number,
    limit: query.limit,
  };
  const [{ orders, hasMore }] = await Promise.all([
    listOrders(table, listing),
    readEventFromPath(table, orgId, params.event_id),
  ]);
  return {
    object: 'orders',
    url: `${baseUrl}/v1/events/${eventId}/orders`,
    has_more: hasMore,
    event_id: String(eventId),
    data: orders.map(orderResource),
  };
};

export const handler = pipeline(listEventOrders, handle);
