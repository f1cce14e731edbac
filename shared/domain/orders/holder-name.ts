import { namesUntilUnix } from '../prices/ticket-rules.ts';
import { isHeldBy } from './held-tickets.ts';
import { isSold, type OrderRecord, type TicketRecord } from './order.ts';
import type { TicketContext } from './shown-order.ts';

export type NameRefusal =
  /** The fan does not hold the ticket any more, or the order does not have it. */
  | { readonly reason: 'not_held' | 'no_names' | 'not_active' | 'scanned' }
  /** So many hours before the start of the event the name could change. */
  | { readonly reason: 'too_late'; readonly hours: number };

interface NamedTicket {
  readonly ticket: TicketRecord;
  readonly order: Pick<OrderRecord, 'userId'>;
  readonly wasScanned: boolean;
}

/**
 * Why the name on a ticket stays; undefined if it can change. The time binds fans. The organisation corrects a name as long
 * as nobody has entered with it.
 */
export function nameRefusal(
  { ticket, order, wasScanned }: NamedTicket,
  { price, event }: Pick<TicketContext, 'price' | 'event'>,
  fanId: number | undefined,
  nowUnix: number,
): NameRefusal | undefined {
  if (fanId !== undefined && !isHeldBy(ticket, order, fanId)) return { reason: 'not_held' };
  if (price.holderNames === 'none') return { reason: 'no_names' };
  if (!isSold(ticket)) return { reason: 'not_active' };
  if (fanId === undefined) return wasScanned ? { reason: 'scanned' } : undefined;
  if (nowUnix < namesUntilUnix(price, event)) return undefined;
  return { reason: 'too_late', hours: price.namesUntilHours ?? 0 };
}
