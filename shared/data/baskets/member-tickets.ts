import * as v from 'valibot';
import type { LimitCount } from '../../domain/baskets/limit-counts.ts';
import type { TicketsByMember } from '../../domain/baskets/member-limits.ts';
import { getItem } from '../table/get-item.ts';
import { memberTicketsItemKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

const Counts = v.record(v.string(), v.unknown());

/** Reads how many tickets of an event an owner and its members have, held ones included. */
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

interface CountChange {
  readonly orgId: string;
  readonly eventId: number | null;
  readonly before: readonly LimitCount[];
  readonly after: readonly LimitCount[];
}

/**
 * Returns the transaction items that count the tickets of members and persons, for the transaction that changes the basket or the
 * order: one for each owner. Each change is written once, so a count is always the sum over baskets and orders. An item is
 * refused if a count would be more than its limit.
 */
export function limitMoves(table: Table, { orgId, eventId, before, after }: CountChange): readonly TransactItem[] {
  if (eventId === null) return [];
  const owners = new Set([...before, ...after].map(({ owner }) => owner));
  return [...owners].flatMap((owner) => {
    const of = (counts: readonly LimitCount[]) => counts.filter((count) => count.owner === owner);
    const moves = netMoves(of(before), of(after));
    return moves.length === 0 ? [] : [moveItem(table, memberTicketsItemKey(orgId, eventId, owner), moves)];
  });
}

function netMoves(before: readonly LimitCount[], after: readonly LimitCount[]): readonly LimitCount[] {
  const moves = new Map<string, LimitCount>();
  const add = (count: LimitCount, sign: 1 | -1): void => {
    const tickets = (moves.get(count.name)?.tickets ?? 0) + sign * count.tickets;
    moves.set(count.name, { ...count, tickets });
  };
  for (const count of before) add(count, -1);
  for (const count of after) add(count, 1);
  return [...moves.values()].filter(({ tickets }) => tickets !== 0);
}

function moveItem(
  table: Table,
  Key: ReturnType<typeof memberTicketsItemKey>,
  moves: readonly LimitCount[],
): TransactItem {
  const parts = moves.map(({ name: count, ...move }, index) => ({
    ...move,
    count,
    name: `#n${index}`,
    more: `:m${index}`,
    room: `:r${index}`,
  }));
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
      ExpressionAttributeNames: Object.fromEntries(parts.map(({ name, count }) => [name, count])),
      ExpressionAttributeValues: {
        ':zero': 0,
        ...Object.fromEntries(parts.map(({ more, tickets }) => [more, tickets])),
        ...Object.fromEntries(taking.map(({ room, limit, tickets }) => [room, limit - tickets])),
      },
    },
  };
}
