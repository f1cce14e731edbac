import type { PriceRecord } from '../../domain/prices/price.ts';
import { type StockSlice, slicesOf } from '../../domain/prices/slices.ts';
import { Fault } from '../../platform/fault.ts';
import { stockKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { stockOf } from './capacity.ts';
import { readPool } from './read.ts';
import { poolItem, priceItem } from './row.ts';
import { slicesWith } from './slices.ts';
import { type StockRef, stockItems } from './stock.ts';

/** Tickets are held or sold, so the price has to stay with the stocks that it takes from. */
export interface StocksTaken {
  readonly outcome: 'stocks_taken';
  readonly taken: number;
}

interface StocksChange {
  readonly wanted: PriceRecord;
  readonly capacity: number | null;
  readonly sideEffects: SideEffects<{ readonly before: PriceRecord; readonly after: PriceRecord }>;
}

/** The stock that says whether any ticket of a price is held or sold, with nothing taken from it. */
interface Untouched {
  readonly capacity: number;
  readonly slices: readonly StockSlice[];
}

/**
 * Gives a price other stocks: its own instead of a pool's, another pool's, or one more. None of its tickets may be held or sold.
 * Its own stock tells; a price without one shares that of its pool, so nothing may be taken from the pool. The transaction
 * writes that stock slice by slice, on the condition that it is still untouched, and gives it another version: a hold by
 * somebody who has read the price before is refused. Undefined if something changed meanwhile.
 */
export async function changeStocks(
  table: Table,
  orgId: string,
  before: PriceRecord,
  { wanted, capacity, sideEffects }: StocksChange,
): Promise<{ readonly outcome: 'updated'; readonly price: PriceRecord } | StocksTaken | undefined> {
  const { eventId, poolIndex } = before;
  if (before.seatsOnly) return givenFirstStocks(table, orgId, before, { wanted, capacity, sideEffects });
  const teller = { eventId, index: before.ownStock || poolIndex === null ? before.index : poolIndex };
  const stock = await stockOf(table, orgId, teller);
  if (stock === undefined) throw new Fault(`Price ${before.priceId} has no stock.`);
  const slices = await slicesWith(table, orgId, teller, stock.capacity);
  if (slices === undefined) return { outcome: 'stocks_taken', taken: stock.capacity - stock.avail };
  const price = {
    ...wanted,
    stockSlices: Math.max(before.ownStock ? before.stockSlices : 1, slicesOf(capacity ?? 0)),
    stockVersion: before.stockVersion + 1,
    version: before.version + 1,
  };
  const untouched = { capacity: stock.capacity, slices };
  const items = before.ownStock
    ? ownStockItems(table, orgId, price, { capacity, untouched, closed: stock.closed })
    : [...(await leftPool(table, orgId, teller, untouched)), ...newStockItems(table, orgId, price, capacity)];
  const all = [{ Put: { TableName: table.name, Item: priceItem(orgId, price), ...unchangedSince(before) } }, ...items];
  const refused = await transact(table, all, sideEffects({ before, after: price }));
  return refused.length > 0 ? undefined : { outcome: 'updated', price };
}

/** The seats of its zone were its capacity, and nobody has one: the caller has looked. */
async function givenFirstStocks(
  table: Table,
  orgId: string,
  before: PriceRecord,
  { wanted, capacity, sideEffects }: StocksChange,
): Promise<{ readonly outcome: 'updated'; readonly price: PriceRecord } | undefined> {
  const stockVersion = before.stockVersion + 1;
  const price = { ...wanted, stockSlices: slicesOf(capacity ?? 0), stockVersion, version: before.version + 1 };
  const items = [
    { Put: { TableName: table.name, Item: priceItem(orgId, price), ...unchangedSince(before) } },
    ...newStockItems(table, orgId, price, capacity),
  ];
  const refused = await transact(table, items, sideEffects({ before, after: price }));
  return refused.length > 0 ? undefined : { outcome: 'updated', price };
}

/** The price had its own stock: it is written again, or deleted. */
function ownStockItems(
  table: Table,
  orgId: string,
  price: PriceRecord,
  {
    capacity,
    untouched,
    closed,
  }: { readonly capacity: number | null; readonly untouched: Untouched; readonly closed: true | undefined },
): readonly TransactItem[] {
  const TableName = table.name;
  if (capacity === null) {
    return untouched.slices.map(({ slice }) => {
      const Key = stockKey(orgId, price.eventId, price.index, slice);
      return { Delete: { TableName, Key, ...isUntouched(untouched, slice) } };
    });
  }
  return stockItems(orgId, price, { avail: capacity, capacity }).map((item, slice) => {
    const known = untouched.slices.find((one) => one.slice === slice);
    const Item = { ...item, moves: (known?.version ?? 0) + 1, ...(closed && { closed }) };
    return {
      Put: { TableName, Item, ...(known === undefined ? unchangedSince(undefined) : isUntouched(untouched, slice)) },
    };
  });
}

/** The price had only its pool: it leaves, or gets a stock of its own inside it. */
async function leftPool(
  table: Table,
  orgId: string,
  ref: StockRef,
  untouched: Untouched,
): Promise<readonly TransactItem[]> {
  const before = await readPool(table, orgId, ref);
  if (before === undefined) throw new Fault(`Pool ${ref.index} of event ${ref.eventId} does not exist.`);
  const pool = { ...before, stockVersion: before.stockVersion + 1, version: before.version + 1 };
  const TableName = table.name;
  const slices = untouched.slices.map(({ slice }) => {
    const { ExpressionAttributeValues, ...condition } = isUntouched(untouched, slice);
    return {
      Update: {
        TableName,
        Key: stockKey(orgId, ref.eventId, ref.index, slice),
        UpdateExpression: 'SET stockVersion = :stockVersion ADD moves :one',
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':stockVersion': pool.stockVersion, ':one': 1 },
        ...condition,
      },
    };
  });
  return [{ Put: { TableName, Item: poolItem(orgId, pool), ...unchangedSince(before) } }, ...slices];
}

function newStockItems(
  table: Table,
  orgId: string,
  price: PriceRecord,
  capacity: number | null,
): readonly TransactItem[] {
  if (capacity === null) return [];
  return stockItems(orgId, price, { avail: capacity, capacity }).map((Item) => ({
    Put: { TableName: table.name, Item, ...unchangedSince(undefined) },
  }));
}

/** The slices have all tickets of the capacity together, so nothing is taken as long as none of them changes. */
function isUntouched({ capacity, slices }: Untouched, slice: number) {
  const avail = slices.find((one) => one.slice === slice)?.avail ?? 0;
  return slice === 0
    ? {
        ConditionExpression: 'avail = :avail AND #capacity = :capacity',
        ExpressionAttributeNames: { '#capacity': 'capacity' },
        ExpressionAttributeValues: { ':avail': avail, ':capacity': capacity },
      }
    : { ConditionExpression: 'avail = :avail', ExpressionAttributeValues: { ':avail': avail } };
}
