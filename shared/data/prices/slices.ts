import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { type StockMove, stockRef } from '../../domain/baskets/stock-moves.ts';
import {
  availableIn,
  gatherInFirst,
  type SliceChange,
  type StockSlice,
  spreadTake,
} from '../../domain/prices/slices.ts';
import { Contended } from '../table/failures.ts';
import { stockKey, stockPartition, stockPartitions } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { type TransactItem, transact } from '../table/transact.ts';
import { returnStock, type StockRef, type TakeCondition, takeStock } from './stock.ts';

/** `moves` is the slice's version. */
const StoredSlice = v.object({ sk: v.string(), avail: v.number(), moves: v.optional(v.number(), 0) });

export async function readSlices(
  table: Table,
  orgId: string,
  { eventId, index }: StockRef,
): Promise<readonly StockSlice[]> {
  const { sk: first } = stockKey(orgId, eventId, index);
  const partitions = await Promise.all(
    stockPartitions.map((partition) =>
      queryAll(table, {
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :first)',
        ExpressionAttributeValues: { ':pk': stockPartition(orgId, eventId, partition), ':first': first },
        ConsistentRead: true,
      }),
    ),
  );
  return partitions.flat().map((item) => {
    const { sk, avail, moves: version } = v.parse(StoredSlice, item);
    return { slice: Number(sk.split('#')[1] ?? 0), avail, version };
  });
}

/** Each look takes a few milliseconds. More of them only if the stock changes all the time and still has too few tickets. */
const maxLooks = 30;

/**
 * Returns the slices of a price if they have so many tickets together; undefined if they do not. The reads are not one
 * snapshot: a ticket can return to a slice that was read before another is taken from one that was not. So the price is sold
 * out only if two looks find the same versions: then nothing changed between the end of the first and the beginning of the second.
 */
export async function slicesWith(
  table: Table,
  orgId: string,
  price: StockRef,
  tickets: number,
): Promise<readonly StockSlice[] | undefined> {
  let before: string | undefined;
  for (let look = 1; look <= maxLooks; look += 1) {
    const slices = await readSlices(table, orgId, price);
    if (availableIn(slices) >= tickets) return slices;
    const seen = slices.map(({ slice, version }) => `${slice} ${version}`).join();
    if (seen === before) return undefined;
    before = seen;
  }
  throw new Contended('Too many concurrent changes to the stock. Nothing was changed. Try again.');
}

/**
 * The transaction items that take tickets of a price. Without knowledge of its slices, one of them is tried at random: at
 * another attempt it is another one, so two buyers who met do not meet again.
 */
export function takeFromSlices(
  table: Table,
  orgId: string,
  move: StockMove & TakeCondition,
  known: readonly StockSlice[] | undefined,
): TransactItem[] {
  const stock = { ...move, ...stockRef(move.stock) };
  const changes = known && spreadTake(known, move.tickets, randomInt);
  const items = changes?.map((change) => sliceChange(table, orgId, stock, change));
  return items ?? [takeStock(table, orgId, { ...stock, slice: randomInt(move.slices) }, move.tickets)];
}

/** The transaction item that returns tickets to any slice. */
export function returnToSlice(table: Table, orgId: string, move: StockMove): TransactItem {
  return returnStock(table, orgId, { ...stockRef(move.stock), slice: randomInt(move.slices) }, move.tickets);
}

export function sliceChange(
  table: Table,
  orgId: string,
  stock: StockRef & TakeCondition,
  { slice, tickets }: SliceChange,
): TransactItem {
  const ref = { ...stock, slice };
  return tickets < 0 ? takeStock(table, orgId, ref, -tickets) : returnStock(table, orgId, ref, tickets);
}

/**
 * Moves tickets into the first slice until it has so many. False if the price does not have them. For the callers that take
 * from the first slice only: imports and changes of the capacity, whose transactions have no room for several slices.
 */
export function gatherStock(table: Table, orgId: string, price: StockRef, tickets: number): Promise<boolean> {
  return retryRaces('stock', async () => {
    const slices = await slicesWith(table, orgId, price, tickets);
    if (slices === undefined) return false;
    const changes = gatherInFirst(slices, tickets);
    if (changes.length === 0) return true;
    const refused = await transact(
      table,
      changes.map((change) => sliceChange(table, orgId, price, change)),
    );
    return refused.length === 0 ? true : undefined;
  });
}
