import { sumOf } from '../money.ts';
import { nothingCounted, type OrderCounts } from '../orders/counts.ts';
import type { PoolRecord } from '../prices/pool.ts';
import type { PriceCategoryRecord, PriceRecord } from '../prices/price.ts';

/** Places that are counted together: those of a price, of a pool, or of a zone of the seat map. */
export type InventoryStock =
  | { readonly kind: 'price'; readonly price: PriceRecord; readonly prices: readonly PriceRecord[] }
  | { readonly kind: 'pool'; readonly pool: PoolRecord; readonly prices: readonly PriceRecord[] }
  | { readonly kind: 'zone'; readonly zone: string; readonly prices: readonly PriceRecord[] };

/** What a stock says of its places. The others are sold or held. */
export interface Places {
  readonly capacity: number;
  readonly free: number;
  /** Seats that the organisation has closed. */
  readonly blocked: number;
  /** Seats that belong to members. */
  readonly members: number;
  /** What the baskets of the waiting list's offers hold. */
  readonly offered: number;
}

/** capacity = sold + held + blocked + members + free. */
export interface StockInventory extends Places {
  readonly stock: InventoryStock;
  readonly sold: number;
  readonly complimentary: number;
  readonly held: number;
}

interface Sellable {
  readonly categories: ReadonlyMap<number, Pick<PriceCategoryRecord, 'zone'>>;
  readonly pools: ReadonlyMap<number, PoolRecord>;
  /** In display order. */
  readonly prices: readonly PriceRecord[];
  /** The zones of the event's seat map; none without one. */
  readonly zones: readonly string[];
}

/** The stocks of an event, in the order of their first prices; then pools and zones that no price sells. */
export function inventoryStocks({ categories, pools, prices, zones }: Sellable): readonly InventoryStock[] {
  const zoneOf = ({ categoryId }: PriceRecord) =>
    zones.length > 0 ? (categories.get(categoryId)?.zone ?? null) : null;
  const nameOf = (price: PriceRecord): string => {
    const zone = zoneOf(price);
    if (zone !== null) return `zone ${zone}`;
    return price.poolIndex === null ? `price ${price.index}` : `pool ${price.poolIndex}`;
  };
  const names = [
    ...prices.map(nameOf),
    ...[...pools.keys()].map((index) => `pool ${index}`),
    ...zones.map((zone) => `zone ${zone}`),
  ];
  const stocks = new Map<string, InventoryStock>();
  for (const price of prices) {
    if (zoneOf(price) === null && price.poolIndex === null) {
      stocks.set(`price ${price.index}`, { kind: 'price', price, prices: [price] });
    }
  }
  for (const pool of pools.values()) {
    const inPool = prices.filter(({ poolIndex }) => poolIndex === pool.index);
    stocks.set(`pool ${pool.index}`, { kind: 'pool', pool, prices: inPool });
  }
  for (const zone of new Set([...zones, ...prices.flatMap((price) => zoneOf(price) ?? [])])) {
    stocks.set(`zone ${zone}`, { kind: 'zone', zone, prices: prices.filter((price) => zoneOf(price) === zone) });
  }
  return [...new Set(names)].flatMap((name) => stocks.get(name) ?? []);
}

/** What is held is the rest: neither free nor sold, blocked or a member's. */
export function stockInventory(stock: InventoryStock, places: Places, sales: OrderCounts): StockInventory {
  const counts = stock.prices.map(({ index }) => sales.get(index) ?? nothingCounted);
  const sold = sumOf(counts.map(({ tickets }) => tickets));
  const complimentary = sumOf(counts.map((one) => one.complimentary));
  const { capacity, free, blocked, members } = places;
  return { ...places, stock, sold, complimentary, held: capacity - free - blocked - members - sold };
}

/** Whether the figures can have been true at one moment. The reads of one look are not a snapshot. */
export function isPossible({ sold, complimentary, held, offered }: StockInventory): boolean {
  return sold >= complimentary && held >= 0 && offered <= held;
}

/**
 * The tickets that were sold during the whole time between two reads of the counters, or fewer: those that were sold before the first
 * one, less those that were cancelled before the second one. Both of these counts only grow, so no read in between shows fewer taken.
 */
export function soldThroughout(before: OrderCounts, after: OrderCounts): OrderCounts {
  const prices = [...new Set([...before.keys(), ...after.keys()])];
  return new Map(
    prices.map((price) => {
      const [first, second] = [before.get(price) ?? nothingCounted, after.get(price) ?? nothingCounted];
      const everSold = Math.min(first.tickets + first.cancelled, second.tickets + second.cancelled);
      // What was sold and cancelled in between is among the cancelled ones only.
      const tickets = Math.max(0, everSold - Math.max(first.cancelled, second.cancelled));
      return [
        price,
        { ...second, tickets, complimentary: Math.min(first.complimentary, second.complimentary, tickets) },
      ];
    }),
  );
}

/** Imported tickets need not have a seat of the map. Those that are more than the taken seats have places of their own. */
export function withUnseated(inventory: StockInventory): StockInventory {
  const { stock, held, capacity } = inventory;
  return stock.kind === 'zone' && held < 0 ? { ...inventory, capacity: capacity - held, held: 0 } : inventory;
}
