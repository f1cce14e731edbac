import type { TicketOfOrder } from '../../../data/orders/find-ticket.ts';
import { type OrganisationRecord, readOrganisation } from '../../../data/organisations/organisation.ts';
import { isSold } from '../../../domain/orders/order.ts';
import { type ShownTicket, shownTicket, type TicketContext } from '../../../domain/orders/shown-order.ts';
import { unixSeconds } from '../../../platform/clock.ts';
import { linkInvalid } from '../../auth/auth-problems.ts';
import type { Deps } from '../../pipeline.ts';
import { notFound, problem } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';
import { findLinkedTicket } from '../callers/linked-ticket.ts';
import { type FoundTicket, requireTicket } from './ticket-from-path.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** What a document shows: a ticket with the barcode that its holder may see. */
export interface TicketDocument extends TicketContext {
  readonly ticket: ShownTicket & { readonly barcode: string };
  readonly organisation: OrganisationRecord;
}

/**
 * The ticket of a path for its document: for a key, for the fan who holds it, or for its link. Fans and links wait for the barcode's
 * time; an organisation decides for itself when it prints or sends.
 */
export async function requireDocument(request: Request, ticketId: string): Promise<TicketDocument> {
  const found = await (request.caller.link === undefined ? ofOwner(request, ticketId) : ofLink(request, ticketId));
  if (!isSold(found.ticket)) {
    throw problem('ticket_not_active', 'This ticket is cancelled or refunded. It has no documents any more.');
  }
  const ticket = found.shown(found.ticket);
  if (ticket.barcode === null) {
    throw problem(
      'barcode_not_yet',
      'The barcode of this ticket is not shown yet. barcode_from_unix of the ticket says from when on. Ask for its documents then.',
    );
  }
  return { ...found, ticket: { ...ticket, barcode: ticket.barcode } };
}

async function ofOwner(request: Request, ticketId: string) {
  const [found, organisation] = await Promise.all([
    requireTicket(request, ticketId),
    readOrganisation(request.table, request.caller.orgId),
  ]);
  if (organisation === undefined) throw notFound('organisation');
  return { ...found, organisation };
}

async function ofLink(
  { caller: { link }, table, clock }: Request,
  ticketId: string,
): Promise<TicketOfOrder & Pick<FoundTicket, 'shown'> & { organisation: OrganisationRecord }> {
  if (link === undefined || ticketId !== String(link.ticketId)) throw notFound('ticket');
  const linked = await findLinkedTicket(table, link, unixSeconds(clock));
  if (linked === undefined) throw linkInvalid();
  return { ...linked, shown: (ticket) => shownTicket(ticket, linked, unixSeconds(clock)) };
}
