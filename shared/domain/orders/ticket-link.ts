import type { EventRecord } from '../events/event.ts';
import { isSold, type TicketRecord } from './order.ts';

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

/** How often the ticket was given to somebody else. A link belongs to one holder. */
export function transferCount({ transfers }: Pick<TicketRecord, 'transfers'>): number {
  return transfers?.former.length ?? 0;
}
