import { readOrderAt, readOrderRef } from '../../../shared/data/orders/read.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { ticketsForFan } from '../../../shared/domain/sso/fan-orders.ts';
import { authenticateFan } from '../../../shared/http/handlers/authenticate-fan.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ssoTicketResource } from '../../../shared/mappers/sso.ts';
import { listSsoOrderTickets } from '../../../shared/operations/sso/list-sso-order-tickets.ts';

export const handle: Handle<typeof listSsoOrderTickets> = async ({ params }, deps) => {
  const { table, caller } = deps;
  const { orgId } = caller;
  const orderId = parseId(params.order_id);
  // Where the order is says nothing about it, so it can be read while the token is verified.
  const [{ userId }, ref] = await Promise.all([
    authenticateFan(deps),
    orderId === undefined ? undefined : readOrderRef(table, orgId, orderId),
  ]);
  const placed = ref && (await readOrderAt(table, orgId, ref));
  const currency = placed?.order.currency ?? '';
  const tickets = ticketsForFan(placed, userId).map((ticket) => ssoTicketResource(ticket, currency));
  return { object: 'sso_tickets' as const, data: tickets };
};

export const handler = pipeline(listSsoOrderTickets, handle);
