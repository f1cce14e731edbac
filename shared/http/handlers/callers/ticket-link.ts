import { linkKeyVersionOf, readOrganisation } from '../../../data/organisations/organisation.ts';
import type { EventRecord } from '../../../domain/events/event.ts';
import type { OrderRecord, TicketRecord } from '../../../domain/orders/order.ts';
import { hasLink, hasOrderLink, transferCount } from '../../../domain/orders/ticket-link.ts';
import { unixSeconds } from '../../../platform/clock.ts';
import { linkKey } from '../../../platform/secret.ts';
import { linkTokenOf, orderTokenOf } from '../../auth/link-token.ts';
import type { Deps } from '../../pipeline.ts';
import type { Caller } from '../../request-context.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'baseUrl'> & { readonly caller: Caller };

/** The link of a ticket; null if it has ended. */
export type LinkOf = (ticket: TicketRecord, event: Pick<EventRecord, 'startUnix'>) => string | null;

/** The link of an order; null if it has ended. The event of an order that was placed just now need not be known. */
export type OrderLinkOf = (
  order: Pick<OrderRecord, 'orderId' | 'eventId' | 'status'>,
  event?: Pick<EventRecord, 'startUnix'>,
) => string | null;

/** Reads the key of the organisation's links: they then need no further call. */
async function readKey({ table, caller: { orgId } }: Request) {
  const [rootKey, organisation] = await Promise.all([linkKey(), readOrganisation(table, orgId)]);
  return { rootKey, orgId, keyVersion: linkKeyVersionOf(organisation ?? {}) };
}

export async function readOrderLinks(request: Request): Promise<OrderLinkOf> {
  const { rootKey, ...key } = await readKey(request);
  return (order, event) => {
    if (!hasOrderLink(order, event, unixSeconds(request.clock))) return null;
    const token = orderTokenOf(rootKey, { ...key, orderId: order.orderId });
    return `${request.baseUrl}/v1/orders/${order.orderId}/page?token=${token}`;
  };
}

export async function readLinks(request: Request): Promise<LinkOf> {
  const { rootKey, ...key } = await readKey(request);
  const { clock, baseUrl } = request;
  return (ticket, event) => {
    if (!hasLink(ticket, event, unixSeconds(clock))) return null;
    const { ticketId } = ticket;
    const token = linkTokenOf(rootKey, { ...key, ticketId, transfers: transferCount(ticket) });
    return `${baseUrl}/v1/tickets/${ticketId}/page?token=${token}`;
  };
}
