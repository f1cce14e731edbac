import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { isSold } from '../../domain/orders/order.ts';
import { seatOfTicket } from '../../domain/orders/ticket-seat.ts';
import { closedOwner } from '../../domain/seats/other-version.ts';
import { seatName, seatNamesOf } from '../../domain/seats/seat-map.ts';
import { basketOwner, blockOwner, isMemberOwner, parseSeatName } from '../../domain/seats/seat-moves.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { readEvent } from '../events/read.ts';
import { parseOrderTickets } from '../orders/order-tickets-row.ts';
import { everySeatBlock } from '../seats/blocks.ts';
import { readSections, sectionsOf, type TakenSections } from '../seats/shown.ts';
import { readMapOfEvent } from '../seats/stock.ts';
import { orderTicketsPartition, seatRowKey } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { isEntering, seatsOfMembers } from './member-seats.ts';
import { pendingBaskets } from './pending-baskets.ts';

/**
 * Checks that every taken seat belongs to a basket that has not ended, to a ticket that is sold, to a block or to a member, and that
 * each of them has its seat. Undefined if a row has changed meanwhile, or members are being entered.
 */
export async function auditSeats(
  table: Table,
  event: CountedEvent,
  nowUnix: number,
): Promise<readonly Finding[] | undefined> {
  const { orgId, eventId } = event;
  const record = await readEvent(table, orgId, eventId);
  const map = record && (await readMapOfEvent(table, orgId, record));
  if (record === undefined || map === undefined) return [];
  const sections = { eventId, sections: sectionsOf(map) };
  const before = await readSections(table, orgId, sections);
  const { owners, doubles } = await readOwners(table, event);
  const members = await seatsOfMembers(table, orgId, { event: record, map }, nowUnix);
  const after = await readSections(table, orgId, sections);
  if (movesOf(before) !== movesOf(after)) return undefined;
  const inMap = new Set(seatNamesOf(map));
  const taken = new Map(
    [...after.values()]
      .flat()
      .flatMap(({ section, row, owners: inRow }) =>
        [...inRow].map(([label, owner]) => [seatName(section, row, label), owner] as const),
      )
      // A seat that the map has lost is closed.
      .filter(([seat, owner]) => owner !== closedOwner || inMap.has(seat)),
  );
  const seats = [...new Set([...taken.keys(), ...owners.keys(), ...(members?.keys() ?? [])])];
  const found = seats.flatMap((seat): SeatFinding[] => {
    const [has, owner, member] = [taken.get(seat), owners.get(seat), members?.get(seat)];
    const isPast = members === undefined && has !== undefined && isMemberOwner(has);
    const ofMember = owner === undefined ? member : undefined;
    const problem = has === (owner ?? ofMember) || isPast ? undefined : problemOf(seat, has, owner ?? ofMember);
    const lost =
      owner !== undefined && member !== undefined
        ? `${seat} belongs to ${owner}, but ${member} is a member with this seat.`
        : undefined;
    const isOfMember = member !== undefined || (has !== undefined && isMemberOwner(has));
    return [problem, lost].flatMap((text) =>
      text === undefined ? [] : [{ isOfMember, finding: { check: 'seats', row: rowOf(event, seat), problem: text } }],
    );
  });
  if (found.some(({ isOfMember }) => isOfMember) && (await isEntering(table, orgId, record, nowUnix))) return undefined;
  const twice = doubles.map(([seat, one, other]): Finding => {
    const problem = `${seat} belongs to ${one} and to ${other}.`;
    return { check: 'seats', row: rowOf(event, seat), problem };
  });
  return [...found.map(({ finding }) => finding), ...twice];
}

interface SeatFinding {
  readonly isOfMember: boolean;
  readonly finding: Finding;
}

function movesOf(sections: TakenSections): string {
  return JSON.stringify([...sections.values()].flat().map(({ section, row, version }) => [section, row, version]));
}

function rowOf({ orgId, eventId }: CountedEvent, seat: string): string {
  const { section = '', row = '' } = parseSeatName(seat) ?? {};
  return nameRow(seatRowKey(orgId, eventId, section, row));
}

function problemOf(seat: string, has: string | undefined, should: string | undefined): string {
  if (should === undefined) return `${seat} is taken by ${has}, which no basket, ticket, block or member has.`;
  return has === undefined
    ? `${seat} is free, but ${should} has it.`
    : `${seat} is taken by ${has}, but ${should} has it.`;
}

interface SeatOwners {
  readonly owners: ReadonlyMap<string, string>;
  /** Seats that two have, such as two tickets that are sold. */
  readonly doubles: readonly (readonly [seat: string, one: string, other: string])[];
}

/** Who has a seat, by the blocks, the tickets that are sold and the baskets that have not ended. */
async function readOwners(table: Table, event: CountedEvent): Promise<SeatOwners> {
  const owners = new Map<string, string>();
  const doubles: [string, string, string][] = [];
  const sold = new Set<string>();
  const belongs = (seat: string, owner: string): void => {
    const other = owners.get(seat);
    // A basket that becomes an order while this is read is both of them.
    if (other !== undefined && (other !== owner || sold.has(seat))) doubles.push([seat, other, owner]);
    owners.set(seat, owner);
  };
  for (const { blockId, seats } of await everySeatBlock(table, event.orgId, event.eventId)) {
    for (const seat of seats) belongs(seat, blockOwner(blockId));
  }
  for await (const { basketId, lines } of pendingBaskets(table, event)) {
    for (const seat of lines.flatMap(({ seats }) => seats)) belongs(seat, basketOwner(basketId));
  }
  const rows = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': orderTicketsPartition(event.orgId, event.eventId) },
    ConsistentRead: true,
  });
  for await (const page of rows) {
    for (const { orderId, tickets } of page.map(parseOrderTickets)) {
      for (const seat of tickets.filter(isSold).flatMap((ticket) => seatOfTicket(ticket) ?? [])) {
        belongs(seat, basketOwner(orderId));
        sold.add(seat);
      }
    }
  }
  return { owners, doubles };
}
