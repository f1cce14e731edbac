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
