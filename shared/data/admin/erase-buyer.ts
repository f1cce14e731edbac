import { limitCounts, remainingReservations } from '../../domain/baskets/limit-counts.ts';
import { isCountedByAddress } from '../../domain/baskets/person-limits.ts';
import { sumOf } from '../../domain/money.ts';
import { countTicketsByPrice } from '../../domain/orders/counts.ts';
import {
  changedAt,
  erasedBuyer,
  isSold,
  type OrderRecord,
  type OrderWithTickets,
  type TicketRecord,
} from '../../domain/orders/order.ts';
import { withoutReason } from '../../domain/orders/tender.ts';
import { limitMoves, readMemberTickets } from '../baskets/member-tickets.ts';
import type { NamedTicket } from '../orders/change-holder.ts';
import { orderChangePuts } from '../orders/change-puts.ts';
import { readOrderWithTickets } from '../orders/read.ts';
import { orderWordItems } from '../orders/row.ts';
import { personHash } from '../table/hash-key.ts';
import { barcodeKey, memberTicketsItemKey } from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';

/**
 * Erases the buyer's personal data from an order and its tickets, with the holders whom the buyer has named, and removes the
 * search words. Ids, dates, statuses and amounts stay for accounting. A concurrent change of the order is not lost.
 */
export function eraseBuyer(
  table: Table,
  { orgId, orderId, nowUnix }: { readonly orgId: string; readonly orderId: number; readonly nowUnix: number },
  /** Called for each name. A transaction has no room for those of a large order: the caller erases most of them before. */
  sideEffects: SideEffects<NamedTicket> = noSideEffects,
): Promise<'erased' | 'unchanged'> {
  return retryRaces('order', async () => {
    const placed = await readOrderWithTickets(table, orgId, orderId);
    if (placed === undefined || isErased(placed)) return 'unchanged';
    const [hash, counts] = await Promise.all([personHash(table), erasedCounts(table, orgId, placed)]);
    const tickets = placed.tickets.map((ticket) => withoutHolder(ticket, nowUnix));
    const items = [...erasure(table, orgId, { placed, tickets, hash, nowUnix }), ...counts];
    const named = placed.tickets.flatMap((before, index) => {
      const after = tickets[index];
      return after === undefined || after.ticketName === before.ticketName ? [] : [{ before, after }];
    });
    const refused = await transact(table, items, named.flatMap(sideEffects));
    return refused.length === 0 ? 'erased' : undefined;
  });
}

function isErased({ order, tickets, memberships }: OrderWithTickets): boolean {
  const known: Readonly<Record<string, unknown>> = { ...order };
  return (
    Object.entries(erasedBuyer).every(([name, value]) => known[name] === value) &&
    order.refundsElsewhere.every(({ reason }) => reason === null) &&
    order.tender?.reason === undefined &&
    order.invoiceAddress === undefined &&
    order.metadata === undefined &&
    !isCountedByAddress(order) &&
    memberships.every(({ firstName, lastName }) => firstName === null && lastName === null) &&
    tickets
      .filter(isOfBuyer)
      .every(
        ({ ticketName, holderMemberId, emailAddress }) =>
          ticketName === null && holderMemberId === null && emailAddress === null,
      )
  );
}

/** A ticket that was given away has the name of somebody else, which that person's own erasure erases. */
export const isOfBuyer = ({ transfers }: TicketRecord): boolean => transfers === undefined;

const withoutHolder = (ticket: TicketRecord, nowUnix: number): TicketRecord =>
  isOfBuyer(ticket)
    ? { ...ticket, ticketName: null, holderMemberId: null, emailAddress: null, updatedUnix: nowUnix }
    : ticket;

interface Erasure {
  readonly placed: OrderWithTickets;
  /** The tickets of the order, without holders. */
  readonly tickets: readonly TicketRecord[];
  readonly hash: PersonHash;
  readonly nowUnix: number;
}

function erasure(table: Table, orgId: string, { placed, tickets, hash, nowUnix }: Erasure): TransactItem[] {
  const { order } = placed;
  const memberships = placed.memberships.map((one) => ({ ...one, firstName: null, lastName: null }));
  const { personReservation, invoiceAddress: _, metadata: _pairs, ...kept } = order;
  const erased: OrderRecord = {
    ...kept,
    ...(personReservation !== undefined && !isCountedByAddress(order) && { personReservation }),
    ...erasedBuyer,
    // A reason is free text, which may name the buyer.
    refundsElsewhere: order.refundsElsewhere.map((refund) => ({ ...refund, reason: null })),
    ...(order.tender !== undefined && { tender: withoutReason(order.tender) }),
  };
  const after = { order: changedAt(erased, nowUnix), tickets, memberships };
  return [
    ...orderChangePuts(table, orgId, { before: placed, after, hash }),
    ...orderWordItems(orgId, order).map(({ pk, sk }) => ({ Delete: { TableName: table.name, Key: { pk, sk } } })),
    // The ticket's version is incremented too, so a gate that is evaluating a scan of it at this moment reads it again.
    ...tickets.filter(isOfBuyer).map(({ barcode }) => ({
      Update: {
        TableName: table.name,
        Key: barcodeKey(orgId, barcode),
        UpdateExpression: 'SET v = v + :one, #at = :at REMOVE #name, #member, email',
        ExpressionAttributeNames: { '#name': 'name', '#member': 'member', '#at': 'at' },
        ExpressionAttributeValues: { ':one': 1, ':at': nowUnix },
      },
    })),
  ];
}

/**
 * Gives back what the address of the buyer counts, and removes the count with the last order: an erased person leaves no hash.
 * Somebody else may have the same address, and keeps its count.
 */
async function erasedCounts(
  table: Table,
  orgId: string,
  { order, tickets }: OrderWithTickets,
): Promise<readonly TransactItem[]> {
  const { eventId, personReservation } = order;
  if (personReservation === undefined || !isCountedByAddress(order)) return [];
  const { owner } = personReservation;
  const sold = countTicketsByPrice(tickets.filter(isSold));
  const before = limitCounts(remainingReservations({ personReservation }, sold));
  const known = [...(await readMemberTickets(table, orgId, { eventId, owner }))];
  const own = (name: string) => sumOf(before.filter((count) => count.name === name).map((count) => count.tickets));
  if (known.some(([name, counted]) => counted !== own(name))) {
    return limitMoves(table, { orgId, eventId, before, after: [] });
  }
  return [
    {
      Delete: {
        TableName: table.name,
        Key: memberTicketsItemKey(orgId, eventId, owner),
        ...(known.length > 0 && {
          ConditionExpression: known.map((_, index) => `#n${index} = :t${index}`).join(' AND '),
          ExpressionAttributeNames: Object.fromEntries(known.map(([name], index) => [`#n${index}`, name])),
          ExpressionAttributeValues: Object.fromEntries(known.map(([, counted], index) => [`:t${index}`, counted])),
        }),
      },
    },
  ];
}
