import { findTicket, type TicketOfOrder } from '../../../data/orders/find-ticket.ts';
import type { Table } from '../../../data/table/table.ts';
import { parseTransferId } from '../../../domain/orders/transfer.ts';
import { notFound } from '../../problem.ts';
import { type FoundTicket, requireTicket } from './ticket-from-path.ts';

type Request = Parameters<typeof requireTicket>[0];

/** Finds the ticket of the transfer in a path, and the number of the offer. */
export async function requireTransfer(
  request: Request,
  text: string,
): Promise<FoundTicket & { readonly number: number }> {
  const named = parseTransferId(text);
  if (named === undefined) throw notFound('transfer');
  return { ...(await requireTicket(request, String(named.ticketId), 'transfer')), number: named.number };
}

/** Finds the ticket of the transfer in a path, whoever holds it: the caller proves with a token that it may know it. */
export async function findTransfer(
  table: Table,
  orgId: string,
  text: string,
): Promise<TicketOfOrder & { readonly number: number }> {
  const named = parseTransferId(text);
  const found = named && (await findTicket(table, orgId, named.ticketId));
  if (named === undefined || found === undefined) throw notFound('transfer');
  return { ...found, number: named.number };
}
