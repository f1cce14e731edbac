import { readOrderAt, readOrderRef } from '../../../shared/data/orders/read.ts';
import { readBarcodeTimes } from '../../../shared/data/prices/ticket-rules.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { withFanBarcodes } from '../../../shared/domain/prices/ticket-rules.ts';
import { ticketsForFan } from '../../../shared/domain/sso/fan-orders.ts';
import { authenticateFan } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ssoTicketResource } from '../../../shared/mappers/sso.ts';
import { listSsoOrderTickets } from '../../../shared/operations/sso/list-sso-order-tickets.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof listSsoOrderTickets> = async ({ params, query }, deps) => {
  const { table, caller, clock } = deps;
  const { orgId } = caller;
  const orderId = parseId(params.order_id);
  // Where the order is says nothing about it, so it can be read while the token is verified.
  const [{ userId }, ref] = await Promise.all([
    authenticateFan(deps),
    orderId === undefined ? undefined : readOrderRef(table, orgId, orderId),
  ]);
  const placed = ref && (await readOrderAt(table, orgId, ref));
  const tickets = ticketsForFan(placed, userId, query.order_status);
  if (placed === undefined || tickets.length === 0) return { object: 'sso_tickets' as const, data: [] };
  const times = await readBarcodeTimes(table, orgId, placed.order.eventId, tickets);
  const shown = withFanBarcodes(tickets, times, unixSeconds(clock));
  return {
    object: 'sso_tickets' as const,
    data: shown.map((ticket) => ssoTicketResource(ticket, placed.order.currency, times)),
  };
};

export const handler = pipeline(listSsoOrderTickets, handle);
