import { readEvents } from '../../../shared/data/events/read.ts';
import { ordersOfUser } from '../../../shared/data/orders/read.ts';
import { newestEventFirst } from '../../../shared/domain/sso/fan-orders.ts';
import { authenticateFan } from '../../../shared/http/handlers/authenticate-fan.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ssoOrderResource } from '../../../shared/mappers/sso.ts';
import { listSsoOrders } from '../../../shared/operations/sso/list-sso-orders.ts';

export const handle: Handle<typeof listSsoOrders> = async (_input, deps) => {
  const { orgId, userId } = await authenticateFan(deps);
  const orders = await ordersOfUser(deps.table, orgId, userId, 'confirmed');
  const events = await readEvents(deps.table, orgId, new Set(orders.map(({ eventId }) => eventId)));
  return { object: 'sso_orders' as const, data: newestEventFirst(orders, events).map(ssoOrderResource) };
};

export const handler = pipeline(listSsoOrders, handle);
