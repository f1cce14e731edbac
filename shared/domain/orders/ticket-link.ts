import type { EventRecord } from '../events/event.ts';
import { isHeldBy } from './held-tickets.ts';
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

/** Whether the buyer has the ticket: it was not given to somebody else, or came back. */
export function isWithBuyer(ticket: Pick<TicketRecord, 'transfers'>, order: Pick<OrderRecord, 'userId'>): boolean {
  return ticket.transfers === undefined || (order.userId !== null && isHeldBy(ticket, order, order.userId));
}

/** How often the ticket was given to somebody else. A link belongs to one holder. */
export function transferCount({ transfers }: Pick<TicketRecord, 'transfers'>): number {
  return transfers?.former.length ?? 0;
}
