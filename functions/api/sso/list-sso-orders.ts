import { readEvents } from '../../../shared/data/events/read.ts';
import { ordersOfUser } from '../../../shared/data/orders/read.ts';
import { ticketsGivenTo } from '../../../shared/data/transfers/read.ts';
import { newestEventFirst, type OrderOfEvent, ordersOfGifts } from '../../../shared/domain/sso/fan-orders.ts';
import { authenticateFan } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { readOrderLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ssoOrderResource } from '../../../shared/mappers/sso.ts';
import { listSsoOrders } from '../../../shared/operations/sso/list-sso-orders.ts';

export const handle: Handle<typeof listSsoOrders> = async ({ query }, deps) => {
  const { orgId, userId } = await authenticateFan(deps);
  const { order_status: which } = query;
  const [placed, held, linkOf] = await Promise.all([
    ordersOfUser(deps.table, orgId, userId, which),
    ticketsGivenTo(deps.table, orgId, userId, which === 'all' ? 'all' : 'valid'),
    readOrderLinks(deps),
  ]);
  const orders = placed.filter(({ status }) => status !== 'pending');
  const own = new Map(orders.map((order) => [order.orderId, order]));
  // A ticket that came back belongs to the fan's own order.
  const gifts = held.filter(({ orderId }) => !own.has(orderId));
  const events = await readEvents(deps.table, orgId, new Set([...orders, ...gifts].map(({ eventId }) => eventId)));
  const listed = newestEventFirst([...orders, ...ordersOfGifts(gifts, events)], events);
  // Of a gift the fan has the ticket's own link.
  const link = ({ order, event }: OrderOfEvent): string | null => {
    const bought = own.get(order.orderId);
    return bought === undefined || event === null ? null : linkOf(bought, event);
  };
  return { object: 'sso_orders' as const, data: listed.map((one) => ssoOrderResource(one, link(one))) };
};

export const handler = pipeline(listSsoOrders, handle);
