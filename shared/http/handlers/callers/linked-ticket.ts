import { findTicket, type TicketOfOrder } from '../../../data/orders/find-ticket.ts';
import {
  linkKeyVersionOf,
  type OrganisationRecord,
  readOrganisation,
} from '../../../data/organisations/organisation.ts';
import type { Table } from '../../../data/table/table.ts';
import { hasLink, transferCount } from '../../../domain/orders/ticket-link.ts';
import { linkKey } from '../../../platform/secret.ts';
import { readLinkToken, type TicketLink } from '../../auth/link-token.ts';

export interface LinkedTicket extends TicketOfOrder {
  readonly organisation: OrganisationRecord;
}

/** Verifies the token of a link, without a call to the table; undefined for any other text. */
export async function verifyLink(token: string): Promise<TicketLink | undefined> {
  return readLinkToken(await linkKey(), token);
}

/** The ticket of a link; undefined if the link has ended: by the event, a refund, a transfer or a new key. */
export async function findLinkedTicket(
  table: Table,
  link: TicketLink,
  nowUnix: number,
): Promise<LinkedTicket | undefined> {
  const found = await findTicketOfHolder(table, link);
  return found !== undefined && hasLink(found.ticket, found.event, nowUnix) ? found : undefined;
}

/** The ticket of a link, also if it is not valid any more; undefined if somebody else has it, or there is a new key. */
export async function findTicketOfHolder(
  table: Table,
  { orgId, ticketId, transfers, keyVersion }: TicketLink,
): Promise<LinkedTicket | undefined> {
  const [organisation, found] = await Promise.all([readOrganisation(table, orgId), findTicket(table, orgId, ticketId)]);
  if (organisation === undefined || found === undefined) return undefined;
  const isCurrent = linkKeyVersionOf(organisation) === keyVersion && transferCount(found.ticket) === transfers;
  return isCurrent ? { ...found, organisation } : undefined;
}
