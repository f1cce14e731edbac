import { readEvents } from '../../../shared/data/events/read.ts';
import { ordersOfUser } from '../../../shared/data/orders/read.ts';
import { ticketsGivenTo } from '../../../shared/data/transfers/read.ts';
import { newestEventFirst, ordersOfGifts } from '../../../shared/domain/sso/fan-orders.ts';
import { authenticateFan } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ssoOrderResource } from '../../../shared/mappers/sso.ts';
import { listSsoOrders } from '../../../shared/operations/sso/list-sso-orders.ts';

export const handle: Handle<typeof listSsoOrders> = async ({ query }, deps) => {
  const { orgId, userId } = await authenticateFan(deps);
  const { order_status: which } = query;
  const [placed, held] = await Promise.all([
    ordersOfUser(deps.table, orgId, userId, which),
    ticketsGivenTo(deps.table, orgId, userId, which === 'all' ? 'all' : 'valid'),
  ]);
  const orders = placed.filter(({ status }) => status !== 'pending');
  const ownIds = new Set(orders.map(({ orderId }) => orderId));
  // A ticket that came back belongs to the fan's own order.
  const gifts = held.filter(({ orderId }) => !ownIds.has(orderId));
  const events = await readEvents(deps.table, orgId, new Set([...orders, ...gifts].map(({ eventId }) => eventId)));
  const listed = newestEventFirst([...orders, ...ordersOfGifts(gifts, events)], events);
  return { object: 'sso_orders' as const, data: listed.map(ssoOrderResource) };
};

export const handler = pipeline(listSsoOrders, handle);
