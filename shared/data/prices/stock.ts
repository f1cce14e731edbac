import * as v from 'valibot';
import type { StockMove } from '../../domain/baskets/stock-moves.ts';
import type { PriceRecord, Stock } from '../../domain/prices/price.ts';
import { type StockSlice, splitEvenly } from '../../domain/prices/slices.ts';
import { log } from '../../platform/log.ts';
import { type ItemKey, stockKey, stockPartition, stockPartitions } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** The first slice of a price or a pool has its capacity, and says how many slices there are. `moves` is the slice's version. */
const StoredStock = v.object({
  sk: v.string(),
  avail: v.number(),
  capacity: v.optional(v.number(), 0),
  slices: v.optional(v.number(), 1),
  moves: v.optional(v.number(), 0),
  closed: v.optional(v.boolean(), false),
});

/** Identifies the stock of a price or a pool. `stockRef` gives that of a type or a code. */
export type StockRef = Pick<PriceRecord, 'eventId' | 'index'>;

export interface IndexedSlice extends StockSlice {
  /** The index of the price or the pool within the event. */
  readonly index: number;
  /** That of the stock in its first slice; 0 in the others. */
  readonly capacity: number;
  /** Whether it is only for those who wait (ADR 65). */
  readonly closed: boolean;
}

/** Returns the slices of every price and pool of an event: one Query, and three more if one of them has several. */
export async function readEventSlices(
  table: Table,
  orgId: string,
  eventId: number,
  { consistent = true }: ReadOptions = {},
): Promise<readonly IndexedSlice[]> {
  const readPartition = async (partition: number) => {
    const items = await queryAll(table, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': stockPartition(orgId, eventId, partition) },
      ConsistentRead: consistent,
    });
    return items.map((item) => v.parse(StoredStock, item));
  };
  const first = await readPartition(0);
  const others = first.some(({ slices }) => slices > 1)
    ? await Promise.all(stockPartitions.slice(1).map(readPartition))
    : [];
  return [first, ...others].flat().map(({ sk, avail, capacity, moves: version, closed }) => {
    const [index, slice = 0] = sk.split('#').map(Number);
    return { index: index ?? 0, slice, avail, capacity, version, closed };
  });
}

/** Returns the stock of every price and pool of an event, by its index. */
export async function readStock(
  table: Table,
  orgId: string,
  eventId: number,
  options: ReadOptions = {},
): Promise<ReadonlyMap<number, Stock>> {
  return stocksOf(await readEventSlices(table, orgId, eventId, options));
}

export function stocksOf(slices: readonly IndexedSlice[]): ReadonlyMap<number, Stock> {
  const stocks = new Map<number, Stock>();
  for (const { index, avail, capacity, closed } of slices) {
    const known = stocks.get(index) ?? { avail: 0, capacity: 0 };
    const isClosed = closed || known.closed === true;
    stocks.set(index, {
      avail: known.avail + avail,
      capacity: known.capacity + capacity,
      ...(isClosed && { closed: true }),
    });
  }
  return stocks;
}

/** A change of a price also writes its version to the stock item, so the stream consumer sees price changes (ADR 0018). */
type VersionedStock = StockRef & Pick<PriceRecord, 'version' | 'stockSlices' | 'stockVersion'>;

/** The items of a stock, one for each slice. */
export function stockItems(
  orgId: string,
  stock: VersionedStock,
  { avail, capacity }: Stock,
): readonly (ItemKey & Readonly<Record<string, unknown>>)[] {
  const { eventId, index, version: priceVersion, stockSlices, stockVersion } = stock;
  const first = { capacity, priceVersion, ...(stockSlices > 1 && { slices: stockSlices }) };
  return splitEvenly(avail, stockSlices).map((share, slice) => ({
    ...stockKey(orgId, eventId, index, slice),
    avail: share,
    ...(slice === 0 && first),
    ...(stockVersion > 0 && { stockVersion }),
  }));
}

/** Identifies a slice; without a number it is the first. */
type SliceRef = StockRef & { readonly slice?: number };

/** The condition that the prices which take from a stock have not changed since it was read. Most stocks never have a version. */
function hasVersion(stockVersion: number | undefined) {
  if (stockVersion === undefined) return { condition: '', values: {} };
  return stockVersion === 0
    ? { condition: ' AND attribute_not_exists(stockVersion)', values: {} }
    : { condition: ' AND stockVersion = :stockVersion', values: { ':stockVersion': stockVersion } };
}

/** The row names the request of its last move, for the log entries of the stream consumer. It stays far below a write unit. */
function stockMove(sign: '+' | '-', tickets: number) {
  const requestId = log.requestId();
  const named = requestId === undefined ? ' REMOVE requestId' : ', requestId = :requestId';
  return {
    UpdateExpression: `SET avail = avail ${sign} :tickets${named} ADD moves :one`,
    ExpressionAttributeValues: {
      ':tickets': tickets,
      ':one': 1,
      ...(requestId !== undefined && { ':requestId': requestId }),
    },
  };
}

/** What a take demands of a slice, besides enough tickets. */
export type TakeCondition = Pick<StockMove, 'stockVersion'> & {
  /** Baskets take only what nobody waits for. */
  readonly onlyOpen?: boolean;
};

/** The transaction item that takes so many tickets from a slice. It is refused if the slice has fewer, or another version. */
export function takeStock(
  table: Table,
  orgId: string,
  { eventId, index, slice, stockVersion, onlyOpen = false }: SliceRef & TakeCondition,
  tickets: number,
): TransactItem {
  const move = stockMove('-', tickets);
  const { condition, values } = hasVersion(stockVersion);
  const open = onlyOpen ? ' AND attribute_not_exists(closed)' : '';
  return {
    Update: {
      TableName: table.name,
      Key: stockKey(orgId, eventId, index, slice),
      ...move,
      ConditionExpression: `avail >= :tickets${condition}${open}`,
      ExpressionAttributeValues: { ...move.ExpressionAttributeValues, ...values },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** The transaction item that returns so many tickets to a slice. The caller makes sure that it is written once. */
export function returnStock(
  table: Table,
  orgId: string,
  { eventId, index, slice }: SliceRef,
  tickets: number,
): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: stockKey(orgId, eventId, index, slice),
      ...stockMove('+', tickets),
      ConditionExpression: 'attribute_exists(pk)',
    },
  };
}

/** The transaction item that lets the stream consumer see a change of a price that takes from this stock. */
export function touchStock(table: Table, orgId: string, { eventId, index }: StockRef): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: stockKey(orgId, eventId, index),
      UpdateExpression: 'ADD moves :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
}

/**
 * The transaction items that change the capacity of a price or a pool. More tickets are shared by all slices, which are created
 * if they do not exist yet; fewer are taken from the first slice. They are refused if the capacity is no longer `from`, or if
 * the first slice has too few.
 */
export function changeCapacity(
  table: Table,
  orgId: string,
  { eventId, index, version, stockSlices, stockVersion }: VersionedStock,
  { from, to, closed = false }: { readonly from: number; readonly to: number; readonly closed?: boolean | undefined },
): TransactItem[] {
  const [own = 0, ...shares] = to > from ? splitEvenly(to - from, stockSlices) : [to - from];
  const first = {
    TableName: table.name,
    Key: stockKey(orgId, eventId, index),
    UpdateExpression:
      'SET avail = avail + :more, #capacity = :to, priceVersion = :version, slices = :slices ADD moves :one',
    // New slices of a closed stock are closed, so it must be as it was read.
    ConditionExpression: `#capacity = :from AND avail >= :fewer AND ${closed ? 'attribute_exists' : 'attribute_not_exists'}(closed)`,
    ExpressionAttributeNames: { '#capacity': 'capacity' },
    ExpressionAttributeValues: {
      ':more': own,
      ':fewer': Math.max(0, -own),
      ':from': from,
      ':to': to,
      ':version': version,
      ':slices': stockSlices,
      ':one': 1,
    },
  };
  const versioned = stockVersion > 0 ? { set: ', stockVersion = :v', values: { ':v': stockVersion } } : { set: '' };
  const closing = closed ? { set: ', closed = :closed', values: { ':closed': true } } : { set: '' };
  const others = shares.map((share, other) => ({
    TableName: table.name,
    Key: stockKey(orgId, eventId, index, other + 1),
    UpdateExpression: `SET avail = if_not_exists(avail, :none) + :more${versioned.set}${closing.set} ADD moves :one`,
    ExpressionAttributeValues: { ':more': share, ':none': 0, ':one': 1, ...versioned.values, ...closing.values },
  }));
  return [first, ...others].map((Update) => ({ Update }));
}
