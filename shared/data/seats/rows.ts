import * as v from 'valibot';
import type { SeatMove, TakenRow } from '../../domain/seats/seat-moves.ts';
import { getItem } from '../table/get-item.ts';
import { seatRowKey, seatsPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/**
 * A row of an event is one item, with an attribute for each seat that somebody has. A row nobody has a seat in need not exist.
 * `moves` counts its changes: a take is written on the row that was read, so what the rules saw is what is written (ADR 62).
 */
const StoredRow = v.objectWithRest({ sk: v.string(), moves: v.optional(v.number(), 0) }, v.unknown());

/** No other attribute has a colon in its name. */
const seatPrefix = 's:';

export function parseTakenRow(section: string, item: unknown): TakenRow {
  const { sk, moves, ...rest } = v.parse(StoredRow, item);
  const owners = Object.entries(rest).flatMap(([name, owner]): [string, string][] =>
    name.startsWith(seatPrefix) ? [[name.slice(seatPrefix.length), String(owner)]] : [],
  );
  return { section, row: sk, owners: new Map(owners), moves };
}

/** Reads rows as they are now. A row that does not exist has all its seats. */
export function readTakenRows(
  table: Table,
  orgId: string,
  eventId: number,
  rows: readonly Pick<TakenRow, 'section' | 'row'>[],
): Promise<readonly TakenRow[]> {
  return Promise.all(
    rows.map(async ({ section, row }) => {
      const item = await getItem(table, seatRowKey(orgId, eventId, section, row), { consistent: true });
      return item === undefined ? { section, row, owners: new Map(), moves: 0 } : parseTakenRow(section, item);
    }),
  );
}

/** Reads the rows of a section that exist. */
export async function readTakenSection(
  table: Table,
  orgId: string,
  { eventId, section }: { readonly eventId: number; readonly section: string },
  { consistent = true }: ReadOptions = {},
): Promise<readonly TakenRow[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': seatsPartition(orgId, eventId, section) },
    ConsistentRead: consistent,
  });
  return items.map((item) => parseTakenRow(section, item));
}

function seatAttributes(labels: readonly string[]) {
  return labels.map((label, index) => ({ place: `#s${index}`, attribute: `${seatPrefix}${label}` }));
}

/**
 * The transaction item that takes seats of a row for an owner. It is refused if the row has changed since it was read. `size` is
 * how many seats the row has: the worker of `sold_out` looks when the last one is taken.
 */
export function takeSeats(
  table: Table,
  orgId: string,
  { eventId, section, row, labels }: SeatMove,
  { owner, seenMoves, size }: { readonly owner: string; readonly seenMoves: number; readonly size: number },
): TransactItem {
  const seats = seatAttributes(labels);
  return {
    Update: {
      TableName: table.name,
      Key: seatRowKey(orgId, eventId, section, row),
      UpdateExpression: `SET ${seats.map(({ place }) => `${place} = :owner`).join(', ')}, #size = :size REMOVE freed ADD moves :one`,
      ConditionExpression: seenMoves === 0 ? 'attribute_not_exists(moves)' : 'moves = :seen',
      ExpressionAttributeNames: {
        '#size': 'size',
        ...Object.fromEntries(seats.map(({ place, attribute }) => [place, attribute])),
      },
      ExpressionAttributeValues: {
        ':owner': owner,
        ':size': size,
        ':one': 1,
        ...(seenMoves > 0 && { ':seen': seenMoves }),
      },
    },
  };
}

/**
 * The transaction item that returns seats. It is refused if the owner does not have all of them. `freed` is how many the last
 * change has returned: the worker of `sold_out` sees by it that the row was full.
 */
export function returnSeats(
  table: Table,
  orgId: string,
  { eventId, section, row, labels }: SeatMove,
  owner: string,
): TransactItem {
  const seats = seatAttributes(labels);
  return {
    Update: {
      TableName: table.name,
      Key: seatRowKey(orgId, eventId, section, row),
      UpdateExpression: `SET freed = :freed REMOVE ${seats.map(({ place }) => place).join(', ')} ADD moves :one`,
      ConditionExpression: seats.map(({ place }) => `${place} = :owner`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(seats.map(({ place, attribute }) => [place, attribute])),
      ExpressionAttributeValues: { ':owner': owner, ':one': 1, ':freed': labels.length },
    },
  };
}
