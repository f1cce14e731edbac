import { linkKeyVersionOf, readOrganisation } from '../../../data/organisations/organisation.ts';
import type { EventRecord } from '../../../domain/events/event.ts';
import type { TicketRecord } from '../../../domain/orders/order.ts';
import { hasLink, transferCount } from '../../../domain/orders/ticket-link.ts';
import { unixSeconds } from '../../../platform/clock.ts';
import { linkKey } from '../../../platform/secret.ts';
import { linkTokenOf } from '../../auth/link-token.ts';
import type { Deps } from '../../pipeline.ts';
import type { Caller } from '../../request-context.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'baseUrl'> & { readonly caller: Caller };

/** The link of a ticket; null if it has ended. */
export type LinkOf = (ticket: TicketRecord, event: Pick<EventRecord, 'startUnix'>) => string | null;

/** Reads the key of the organisation's links. The links of its tickets then need no further call. */
export async function readLinks({ table, clock, baseUrl, caller: { orgId } }: Request): Promise<LinkOf> {
  const [rootKey, organisation] = await Promise.all([linkKey(), readOrganisation(table, orgId)]);
  const keyVersion = linkKeyVersionOf(organisation ?? {});
  return (ticket, event) => {
    if (!hasLink(ticket, event, unixSeconds(clock))) return null;
    const { ticketId } = ticket;
    const token = linkTokenOf(rootKey, { orgId, ticketId, transfers: transferCount(ticket), keyVersion });
    return `${baseUrl}/v1/tickets/${ticketId}/page?token=${token}`;
  };
}
