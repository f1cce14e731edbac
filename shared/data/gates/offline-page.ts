import {
  type AdmittingEvent,
  type CardPosition,
  type ListedCard,
  listAdmittedCards,
} from '../members/list-admitted.ts';
import { type ListedTicket, listEventTickets, type TicketPosition } from '../orders/list-tickets.ts';
import type { Table } from '../table/table.ts';

export interface OfflineListing {
  readonly orgId: string;
  readonly event: AdmittingEvent;
  readonly updatedSince: number | undefined;
  /** The position after which the page begins. */
  readonly after: string | undefined;
  readonly limit: number;
}

export type OfflineRow = Omit<ListedTicket, 'position'> | { readonly card: ListedCard };

export interface OfflinePage {
  readonly rows: readonly OfflineRow[];
  /** The position after which the next page begins; undefined if there is none. */
  readonly next: string | undefined;
}

/** Reads a page of what a gate needs without a connection: the tickets of the event, and after them the cards of the members that it admits. */
export async function readOfflinePage(table: Table, listing: OfflineListing): Promise<OfflinePage> {
  const { orgId, event, updatedSince, limit } = listing;
  const { eventId } = event;
  const after = parsePosition(listing.after);
  const tickets =
    after.kind === 'member'
      ? []
      : await listEventTickets(table, { orgId, eventId, updatedSince, after: after.ticket, limit: limit + 1 });
  const cards = await listAdmittedCards(table, {
    orgId,
    updatedSince,
    after: after.kind === 'member' ? after.card : undefined,
    limit: limit + 1 - tickets.length,
    event,
  });
  const rows = [
    ...tickets.map(({ position, ...row }) => ({ row, position: ticketPosition(position) })),
    ...cards.map((card) => ({ row: { card }, position: cardPosition(card.position) })),
  ];
  const page = rows.slice(0, limit);
  return { rows: page.map(({ row }) => row), next: rows.length > limit ? page.at(-1)?.position : undefined };
}

type Position =
  | { readonly kind: 'ticket'; readonly ticket: TicketPosition | undefined }
  | { readonly kind: 'member'; readonly card: CardPosition };

const memberMark = 'm';
const cardPosition = ({ sortKey, former }: CardPosition): string => `${memberMark}|${sortKey}|${former}`;
const ticketPosition = ({ sortKey, number, former }: TicketPosition): string => `t|${sortKey}|${number}|${former}`;

/** Positions are signed in cursors, so only texts that this module wrote arrive here. */
function parsePosition(text: string | undefined): Position {
  if (text === undefined) return { kind: 'ticket', ticket: undefined };
  const [kind, sortKey = '', number = '', former = ''] = text.split('|');
  return kind === memberMark
    ? // A cursor of an earlier release ends after all cards of its member.
      { kind: 'member', card: { sortKey, former: number === '' ? Number.MAX_SAFE_INTEGER : Number(number) } }
    : { kind: 'ticket', ticket: { sortKey, number: Number(number), former: Number(former) } };
}
