import { listAllOrders } from '../../../shared/data/orders/list-all.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { orderWithTickets } from '../../../shared/mappers/order.ts';
import { listOrders } from '../../../shared/operations/orders/list-orders.ts';

export const handle: Handle<typeof listOrders> = async ({ query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const { orders, hasMore } = await listAllOrders(table, {
    orgId,
    userId: query.user_id,
    emailAddress: query.email_address,
    status: query.order_status,
    search: query.search,
    barcode: query.barcode,
    range: { after: query.unix_start, before: query.unix_end },
    page: query.page_number,
    limit: query.limit,
  });
  return {
    object: 'orders',
    url: `${baseUrl}/v1/orders`,
    has_more: hasMore,
    org_id: orgId,
    data: orders.map((listed) => orderWithTickets(listed, listed.event)),
  };
};

export const handler = pipeline(listOrders, handle);
