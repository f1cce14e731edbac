import * as v from 'valibot';
import {
  countedTickets,
  type MemberReservation,
  type MemberTickets,
  memberTicketsKey,
  type TicketsByMember,
} from '../../domain/baskets/member-limits.ts';
import { getItem } from '../table/get-item.ts';
import { memberTicketsItemKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

const Counts = v.record(v.string(), v.unknown());

/** Reads how many tickets of an event the members of an owner have, held ones included. */
export async function readMemberTickets(
  table: Table,
  orgId: string,
  { eventId, owner }: { readonly eventId: number; readonly owner: string },
): Promise<TicketsByMember> {
  const item = await getItem(table, memberTicketsItemKey(orgId, eventId, owner), { consistent: true });
  return parseMemberTickets(item ?? {});
}

export function parseMemberTickets(item: unknown): TicketsByMember {
  return new Map(
    Object.entries(v.parse(Counts, item)).flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, value] as const] : [],
    ),
  );
}

interface ReservationChange {
  readonly orgId: string;
  readonly eventId: number | null;
  readonly before: MemberReservation | null;
  readonly after: MemberReservation | null;
}

/**
 * Returns the transaction items that count the tickets of members, for the transaction that changes the basket or the order: one
 * for each owner. Each change is written once, so a count is always the sum over baskets and orders. An item is refused if a
 * member would have more tickets than the limit.
 */
export function memberTicketMoves(
  table: Table,
  { orgId, eventId, before, after }: ReservationChange,
): readonly TransactItem[] {
  if (eventId === null || before === after) return [];
  const owners = new Set([before, after].flatMap((reservation) => reservation?.owner ?? []));
  return [...owners].flatMap((owner) => {
    const of = (reservation: MemberReservation | null) =>
      reservation?.owner === owner ? countedTickets(reservation) : [];
    const moves = netMoves(of(before), of(after));
    return moves.length === 0 ? [] : [moveItem(table, memberTicketsItemKey(orgId, eventId, owner), moves)];
  });
}

function netMoves(before: readonly MemberTickets[], after: readonly MemberTickets[]): readonly MemberTickets[] {
  const moves = new Map<string, MemberTickets>();
  const add = (entry: MemberTickets, sign: 1 | -1): void => {
    const key = memberTicketsKey(entry);
    moves.set(key, { ...entry, tickets: (moves.get(key)?.tickets ?? 0) + sign * entry.tickets });
  };
  for (const entry of before) add(entry, -1);
  for (const entry of after) add(entry, 1);
  return [...moves.values()].filter(({ tickets }) => tickets !== 0);
}

function moveItem(
  table: Table,
  Key: ReturnType<typeof memberTicketsItemKey>,
  moves: readonly MemberTickets[],
): TransactItem {
  const parts = moves.map((move, index) => ({ ...move, name: `#n${index}`, more: `:m${index}`, room: `:r${index}` }));
  const taking = parts.filter(({ tickets }) => tickets > 0);
  return {
    Update: {
      TableName: table.name,
      Key,
      UpdateExpression: `SET ${parts.map(({ name, more }) => `${name} = if_not_exists(${name}, :zero) + ${more}`).join(', ')}`,
      ...(taking.length > 0 && {
        ConditionExpression: taking
          .map(({ name, room }) => `(attribute_not_exists(${name}) OR ${name} <= ${room})`)
          .join(' AND '),
      }),
      ExpressionAttributeNames: Object.fromEntries(parts.map((part) => [part.name, memberTicketsKey(part)])),
      ExpressionAttributeValues: {
        ':zero': 0,
        ...Object.fromEntries(parts.map(({ more, tickets }) => [more, tickets])),
        ...Object.fromEntries(taking.map(({ room, limit, tickets }) => [room, limit - tickets])),
      },
    },
  };
}
