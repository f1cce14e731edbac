import { type Finding, nameRow, stockDifference } from '../../domain/audit/finding.ts';
import { movesOf } from '../../domain/baskets/stock-moves.ts';
import type { OrderCounts } from '../../domain/orders/counts.ts';
import { stockIndexes } from '../../domain/prices/pool.ts';
import type { PriceRecord } from '../../domain/prices/price.ts';
import { readSales } from '../counters/sales.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { readPriceList } from '../prices/read.ts';
import { type IndexedSlice, readEventSlices, readStock, stocksOf } from '../prices/stock.ts';
import { stockKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { pendingBaskets } from './pending-baskets.ts';

/**
 * Checks for every stock of an event, of a price or a pool, that capacity = available + held + sold. Held tickets are those of
 * baskets that have not ended; they are read only if a stock has tickets that are neither available nor sold. And no slice is missing.
 */
export async function auditStock(table: Table, event: CountedEvent): Promise<readonly Finding[] | undefined> {
  const { orgId, eventId } = event;
  const before = await readStock(table, orgId, eventId);
  const { prices, pools } = await readPriceList(table, orgId, eventId, { consistent: true });
  const sold = soldByStock(prices, await readSales(table, orgId, eventId));
  const soldOf = (index: number) => sold.get(index) ?? 0;
  const isHeld = [...before].some(([index, stock]) => stockDifference(stock, { held: 0, sold: soldOf(index) }) !== 0);
  const held = isHeld ? await readHeld(table, event) : new Map<number, number>();
  const slices = await readEventSlices(table, orgId, eventId);
  const after = stocksOf(slices);
  const isChanged = [...after].some(([index, { avail, capacity }]) => {
    const known = before.get(index);
    return known?.avail !== avail || known.capacity !== capacity;
  });
  if (isChanged) return undefined;
  const finding = (index: number, problem: string): Finding => ({
    check: 'stock',
    row: nameRow(stockKey(orgId, eventId, index)),
    problem,
  });
  const stocks = [...new Set([...after.keys(), ...sold.keys()])];
  const differences = stocks.flatMap((index) => {
    const stock = after.get(index) ?? { avail: 0, capacity: 0 };
    const difference = stockDifference(stock, { held: held.get(index) ?? 0, sold: soldOf(index) });
    if (difference === 0) return [];
    const problem =
      difference > 0
        ? `${difference} tickets are neither available, held nor sold.`
        : `${-difference} more tickets are available, held and sold than the capacity allows.`;
    return [finding(index, problem)];
  });
  const owners = [...prices.filter(({ ownStock }) => ownStock), ...pools.values()];
  return [...differences, ...missingSlices(owners, slices).map(({ index, problem }) => finding(index, problem))];
}

/** A hold that draws a missing slice is decided again, and tickets that are returned to one are refused. */
function missingSlices(owners: readonly Pick<PriceRecord, 'index' | 'stockSlices'>[], slices: readonly IndexedSlice[]) {
  return owners.flatMap(({ index, stockSlices }) => {
    const found = slices.filter((slice) => slice.index === index).length;
    const isWhole = found === 0 || found >= stockSlices;
    return isWhole ? [] : [{ index, problem: `It has ${found} of ${stockSlices} slices.` }];
  });
}

/** The sold tickets of each stock. A price keeps its stocks while tickets of it are sold, so its counters say which it took from. */
function soldByStock(prices: readonly PriceRecord[], sold: OrderCounts): ReadonlyMap<number, number> {
  const byStock = new Map<number, number>();
  for (const [index, { tickets }] of sold) {
    const price = prices.find((one) => one.index === index) ?? { index, poolIndex: null, ownStock: true };
    for (const stock of stockIndexes(price)) byStock.set(stock, (byStock.get(stock) ?? 0) + tickets);
  }
  return byStock;
}

/** The tickets of each stock that baskets hold. */
async function readHeld(table: Table, event: CountedEvent): Promise<ReadonlyMap<number, number>> {
  const held = new Map<number, number>();
  for await (const { eventId, lines } of pendingBaskets(table, event)) {
    for (const { stock, tickets } of movesOf(eventId, lines)) {
      if (stock.kind !== 'event' || stock.eventId !== event.eventId) continue;
      held.set(stock.index, (held.get(stock.index) ?? 0) + tickets);
    }
  }
  return held;
}
