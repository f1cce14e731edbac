import type { EventRecord } from '../events/event.ts';
import { isSold, noEventId, type OrderRecord, type TicketRecord } from './order.ts';

/** Events have no end. A day after the start every one is over, wherever its guests still are. */
const linkAfterStartSeconds = 24 * 3_600;

/** Whether the ticket has a link now: it is valid, and its event is not over. */
export function hasLink(
  ticket: Pick<TicketRecord, 'status'>,
  { startUnix }: Pick<EventRecord, 'startUnix'>,
  nowUnix: number,
): boolean {
  return isSold(ticket) && nowUnix < startUnix + linkAfterStartSeconds;
}

/** Whether an order has a link now, also a refunded one: it has an event that is not over. A new order's event is not. */
export function hasOrderLink(
  { status, eventId }: Pick<OrderRecord, 'status' | 'eventId'>,
  event: Pick<EventRecord, 'startUnix'> | undefined,
  nowUnix: number,
): boolean {
  const isOver = event !== undefined && nowUnix >= event.startUnix + linkAfterStartSeconds;
  return status !== 'pending' && eventId !== noEventId && !isOver;
}

/**
 * Whether the page of the order shows the ticket. Not one that came back: whoever typed an address has the link of the order, and the
 * person with that address may be given the ticket by a transfer. An accepted ticket has a link of its own.
 */
export function isOnOrderPage({ transfers }: Pick<TicketRecord, 'transfers'>): boolean {
  return transfers === undefined;
}

/** How often the ticket was given to somebody else. A link belongs to one holder. */
export function transferCount({ transfers }: Pick<TicketRecord, 'transfers'>): number {
  return transfers?.former.length ?? 0;
}
