import * as v from 'valibot';
import { type RowChange as ClosedRow, closedOwner } from '../../domain/seats/other-version.ts';
import type { SeatMap } from '../../domain/seats/seat-map.ts';
import {
  rowName,
  type SeatMove,
  type SeenRow,
  type SeenRows,
  seatMoves,
  type TakenRow,
} from '../../domain/seats/seat-moves.ts';
import { getItem } from '../table/get-item.ts';
import { type ItemKey, seatRowKey, seatsPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/**
 * A row of an event is one item, with an attribute for each seat that somebody has. A row nobody has a seat in need not exist.
 * `moves` is its version, a count of its changes: a take is written on the row that was read, so what the rules saw is what is
 * written (ADR 62).
 */
const StoredRow = v.object({ sk: v.string(), moves: v.optional(v.number(), 0) });

/** No other attribute has a colon in its name. */
const seatPrefix = 's:';

export function parseTakenRow(section: string, item: Readonly<Record<string, unknown>>): TakenRow {
  const { sk, moves: version } = v.parse(StoredRow, item);
  const owners = new Map<string, string>();
  for (const name of Object.keys(item)) {
    if (name.startsWith(seatPrefix)) owners.set(name.slice(seatPrefix.length), String(item[name]));
  }
  return { section, row: sk, owners, version };
}

/** A row as it is stored, for data that is written as a whole. `size` is how many seats it has. */
export function seatRowItem(
  orgId: string,
  eventId: number,
  { section, row, owners, version }: TakenRow,
  size: number,
): ItemKey & Readonly<Record<string, unknown>> {
  const seats = [...owners].map(([label, owner]) => [`${seatPrefix}${label}`, owner]);
  return { ...seatRowKey(orgId, eventId, section, row), ...Object.fromEntries(seats), size, moves: version };
}

interface SeatsOfMap {
  readonly map: SeatMap;
  readonly names: readonly string[];
}

/**
 * Reads the rows of these seats as they are now. A row that does not exist has all its seats. One that the map does not have is left
 * out: its seats are unknown.
 */
export function readSeenRows(
  table: Table,
  orgId: string,
  { eventId, ...seats }: SeatsOfMap & { readonly eventId: number },
): Promise<SeenRows> {
  return readSeenRowsAt(table, (section, row) => seatRowKey(orgId, eventId, section, row), seats);
}

/** The same of rows with other keys: those of the seats that members have on a map. */
export function readSeenRowsAt(
  table: Table,
  keyAt: (section: string, row: string) => ItemKey,
  seats: SeatsOfMap,
): Promise<SeenRows> {
  return seenRows(seats, (ref) => readTakenRow(table, keyAt(ref.section, ref.row), ref));
}

/** The rows of these seats, each as `read` knows it. */
export async function seenRows(
  { map, names }: SeatsOfMap,
  read: (ref: Pick<TakenRow, 'section' | 'row'>) => Promise<TakenRow>,
): Promise<SeenRows> {
  const seen = seatMoves(0, names).map(async (move): Promise<[string, SeenRow][]> => {
    const ofMap = map.sections.find(({ section }) => section === move.section);
    const row = ofMap?.rows.find((one) => one.row === move.row);
    return row === undefined ? [] : [[rowName(move), { row, taken: await read(move) }]];
  });
  return new Map((await Promise.all(seen)).flat());
}

export async function readTakenRow(
  table: Table,
  key: ItemKey,
  { section, row }: Pick<TakenRow, 'section' | 'row'>,
): Promise<TakenRow> {
  const item = await getItem(table, key, { consistent: true });
  return item === undefined ? emptyRow({ section, row }) : parseTakenRow(section, item);
}

/** A row nobody has had a seat in. */
export const emptyRow = ({ section, row }: Pick<TakenRow, 'section' | 'row'>): TakenRow => ({
  section,
  row,
  owners: new Map(),
  version: 0,
});

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

/** A seat of a row and who has it. */
export interface HeldSeat {
  readonly label: string;
  readonly owner: string;
}

interface RowChange {
  readonly takes?: readonly HeldSeat[];
  readonly returns?: readonly HeldSeat[];
  /** How many more seats are free; by default what is returned and not taken. */
  readonly freed?: number;
  /** How many seats the row has: the worker of `sold_out` looks when the last one is taken. */
  readonly size?: number;
  /** The change is refused if the row has changed since it was read. Without it: if a seat is taken, or its owner is another one. */
  readonly seenVersion?: number;
}

/**
 * The transaction item that takes and returns seats of a row. `freed` is how many seats the last change made free: the worker of
 * `sold_out` sees by it that the row was full.
 */
export function changeSeats(
  table: Table,
  Key: ItemKey,
  { takes = [], returns = [], freed = returns.length - takes.length, size, seenVersion }: RowChange,
): TransactItem {
  const named = seenVersion === undefined ? [...takes, ...returns] : takes;
  const owners = [...new Set(named.map(({ owner }) => owner))];
  const placeOf = ({ owner }: HeldSeat): string => `:o${owners.indexOf(owner)}`;
  const taken = takes.map((seat, index) => ({ ...seat, place: `#t${index}`, value: placeOf(seat) }));
  const returned = returns.map((seat, index) => ({ ...seat, place: `#r${index}`, value: placeOf(seat) }));
  const set = [
    ...taken.map(({ place, value }) => `${place} = ${value}`),
    ...(size === undefined ? [] : ['#size = :size']),
    ...(freed > 0 ? ['freed = :freed'] : []),
  ];
  const remove = [...returned.map(({ place }) => place), ...(freed > 0 ? [] : ['freed'])];
  const names = {
    ...(size !== undefined && { '#size': 'size' }),
    ...Object.fromEntries([...taken, ...returned].map(({ place, label }) => [place, `${seatPrefix}${label}`])),
  };
  const free = taken.map(({ place }) => `attribute_not_exists(${place})`);
  const own = returned.map(({ place, value }) => `${place} = ${value}`);
  const isAllowed = [...free, ...own].join(' AND ');
  const unchanged = seenVersion === 0 ? 'attribute_not_exists(moves)' : 'moves = :seen';
  return {
    Update: {
      TableName: table.name,
      Key,
      UpdateExpression: `${set.length > 0 ? `SET ${set.join(', ')} ` : ''}${remove.length > 0 ? `REMOVE ${remove.join(', ')} ` : ''}ADD moves :one`,
      ...(seenVersion !== undefined && { ConditionExpression: unchanged }),
      ...(seenVersion === undefined && isAllowed !== '' && { ConditionExpression: isAllowed }),
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ExpressionAttributeValues: {
        ...Object.fromEntries(owners.map((owner, index) => [`:o${index}`, owner])),
        ...(size !== undefined && { ':size': size }),
        ...(freed > 0 && { ':freed': freed }),
        ...(seenVersion !== undefined && seenVersion > 0 && { ':seen': seenVersion }),
        ':one': 1,
      },
    },
  };
}

/** The transaction items of a new version of a map: its rows lose and regain seats, if nobody has changed them since they were read. */
export function closeSeats(
  table: Table,
  keyAt: (section: string, row: string) => ItemKey,
  rows: readonly ClosedRow[],
): readonly TransactItem[] {
  return rows.map(({ section, row, close, open, seenVersion }) =>
    changeSeats(table, keyAt(section, row), {
      takes: heldBy(closedOwner, close),
      returns: heldBy(closedOwner, open),
      seenVersion,
    }),
  );
}

const heldBy = (owner: string, labels: readonly string[]): readonly HeldSeat[] =>
  labels.map((label) => ({ label, owner }));

const keyOf = (orgId: string, { eventId, section, row }: SeatMove): ItemKey => seatRowKey(orgId, eventId, section, row);

/** The transaction item that takes seats of a row for an owner. With `seenVersion`, it is refused if the row has changed since it was read. */
export function takeSeats(
  table: Table,
  orgId: string,
  move: SeatMove,
  { owner, ...row }: { readonly owner: string; readonly seenVersion?: number; readonly size: number },
): TransactItem {
  return changeSeats(table, keyOf(orgId, move), { takes: heldBy(owner, move.labels), ...row });
}

/** The transaction item that returns seats. It is refused if the owner does not have all of them. */
export function returnSeats(table: Table, orgId: string, move: SeatMove, owner: string): TransactItem {
  return changeSeats(table, keyOf(orgId, move), { returns: heldBy(owner, move.labels) });
}
