import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { ticketStatusOf } from '../../domain/orders/ticket-status.ts';
import { recordedSecondText } from '../../domain/time/time-buckets.ts';
import { changedTicketsPartition, orderTicketsPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseOrderTickets, type ShownTicket } from './order-tickets-row.ts';

export interface TicketListing {
  readonly orgId: string;
  readonly eventId: number;
  /** Only tickets that changed after this second, in the order of the last change of their order. */
  readonly updatedSince: number | undefined;
  readonly after: TicketPosition | undefined;
  readonly limit: number;
}

/** A ticket in the list: the sort key of its order, its number within the order, and after it its former barcodes from 1. */
export interface TicketPosition {
  readonly sortKey: string;
  readonly number: number;
  readonly former: number;
}

export interface ListedTicket {
  /** With a former barcode, it is the ticket as it ended under that barcode. */
  readonly ticket: ShownTicket;
  readonly isFormer: boolean;
  /** Where the order of the ticket is among those of its event. */
  readonly orderSortKey: string;
  readonly position: TicketPosition;
}

/** Orders have between one and five tickets on average. A first read of this many does not read much more than the page. */
const guessedTickets = 5;
const fewestOrders = 4;

/**
 * Returns up to `limit` tickets of an event after a position; fewer only at the end of the list. Each item holds the tickets of
 * an order, so the number of items to read follows from the tickets of those that were read before.
 */
export async function listEventTickets(table: Table, listing: TicketListing): Promise<readonly ListedTicket[]> {
  const { after, limit } = listing;
  const found: ListedTicket[] = [];
  let from = after?.sortKey ?? firstKey(listing);
  let orders = 0;
  for (;;) {
    const ticketsPerOrder = orders === 0 ? guessedTickets : Math.max(1, found.length / orders);
    const batch = Math.max(fewestOrders, Math.ceil((limit - found.length) / ticketsPerOrder));
    const { items, isLast } = await readItems(table, listing, from, batch);
    orders += items.length;
    for (const { sortKey, item } of items) found.push(...ticketsAfter(sortKey, item, listing));
    const last = items.at(-1);
    if (found.length >= limit || isLast || last === undefined) return found.slice(0, limit);
    // A key followed by a zero byte is the lowest key that is greater than it.
    from = `${last.sortKey}\u0000`;
  }
}

function firstKey({ updatedSince }: TicketListing): string {
  return updatedSince === undefined ? '0' : recordedSecondText(updatedSince + 1);
}

async function readItems(table: Table, { orgId, eventId, updatedSince }: TicketListing, from: string, limit: number) {
  const isWhole = updatedSince === undefined;
  const [pk, sk] = isWhole ? ['pk', 'sk'] : ['by1pk', 'by1sk'];
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...(!isWhole && { IndexName: 'by1' }),
      KeyConditionExpression: `${pk} = :pk AND ${sk} >= :from`,
      ExpressionAttributeValues: {
        ':pk': isWhole ? orderTicketsPartition(orgId, eventId) : changedTicketsPartition(orgId, eventId),
        ':from': from,
      },
      Limit: limit,
    }),
  );
  return { items: Items.map((item) => ({ sortKey: String(item[sk]), item })), isLast: LastEvaluatedKey === undefined };
}

function ticketsAfter(
  sortKey: string,
  item: Readonly<Record<string, unknown>>,
  { after, updatedSince = -1 }: TicketListing,
): ListedTicket[] {
  const orderSortKey = String(item.sk);
  const least = after?.sortKey === sortKey ? after : { number: 0, former: 0 };
  const isLater = ({ number, former }: TicketPosition): boolean =>
    number > least.number || (number === least.number && former > least.former);
  return parseOrderTickets(item)
    .tickets.flatMap((ticket) => rowsOf(ticket, sortKey, orderSortKey))
    .filter(({ ticket, position }) => isLater(position) && ticket.updatedUnix > updatedSince);
}

/** A gate without a connection must know the barcodes that a ticket had before it was given away. */
function rowsOf(ticket: ShownTicket, sortKey: string, orderSortKey: string): ListedTicket[] {
  const number = ticket.ticketId - ticket.orderId;
  const former = (ticket.transfers?.former ?? []).map(({ barcode, untilUnix: updatedUnix }) => ({
    ...ticket,
    barcode,
    updatedUnix,
    ticketName: null,
    status: ticketStatusOf.cancelled,
  }));
  return [ticket, ...former].map((one, index) => ({
    ticket: one,
    isFormer: index > 0,
    orderSortKey,
    position: { sortKey, number, former: index },
  }));
}
