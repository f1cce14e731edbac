import type { PriceRecord, Stock } from './price.ts';

/** The fields of a pool that the platform team sets. */
export interface PoolFields {
  readonly title: string;
}

/** A number of places that several prices of an event share, such as adult and junior of one terrace. */
export interface PoolRecord extends PoolFields {
  readonly eventId: number;
  /** Pools and prices share the 511 numbers of their event: prices count up from 1, pools down from 511. It is never reused. */
  readonly index: number;
  /** The organisation's own short name for the pool within the event. Imports identify the pool by it. */
  readonly code: string;
  /** How many slices the stock has. It only grows, with the capacity. */
  readonly stockSlices: number;
  /** How often a price without a stock of its own has left the pool. See `PriceRecord.stockVersion`. */
  readonly stockVersion: number;
  readonly version: number;
}

/** What decides which stocks a price takes from. */
export type PriceStocks = Pick<PriceRecord, 'index' | 'poolIndex' | 'ownStock'>;

/** The indexes of the stocks that every ticket of a price is taken from: its own, that of its pool, or both. */
export function stockIndexes({ index, poolIndex, ownStock }: PriceStocks): readonly number[] {
  return [...(ownStock ? [index] : []), ...(poolIndex === null ? [] : [poolIndex])];
}

type Stocks = ReadonlyMap<number, Stock>;

/** A price without stocks has the seats of its zone, which are read as its own stock (shared/data/seats/stock.ts). */
function stocksOf(price: PriceStocks, stocks: Stocks): readonly Stock[] {
  const indexes = stockIndexes(price);
  return (indexes.length === 0 ? [price.index] : indexes).map(
    (index) => stocks.get(index) ?? { avail: 0, capacity: 0 },
  );
}

/** How many tickets of a price are left: as many as the stock has that runs out first. */
export function availableOf(price: PriceStocks, stocks: Stocks): number {
  return Math.min(...stocksOf(price, stocks).map(({ avail }) => avail));
}

/** A stock has few tickets left below a tenth of its capacity, and in any case below ten. */
export function hasFewLeft(price: PriceStocks, stocks: Stocks): boolean {
  return stocksOf(price, stocks).some(({ avail, capacity }) => avail < Math.max(10, capacity / 10));
}

/** Whether somebody waits for a stock of the price. */
function isClosed(price: PriceStocks, stocks: Stocks): boolean {
  return stocksOf(price, stocks).some(({ closed }) => closed === true);
}

/** A group ticket needs stock for all of its tickets. What somebody waits for is sold out for everyone else. */
export function isSoldOut(price: PriceStocks & Pick<PriceRecord, 'ticketsIncluded'>, stocks: Stocks): boolean {
  return availableOf(price, stocks) < price.ticketsIncluded || isClosed(price, stocks);
}

/** An event is sold out if it has active prices and all of them are sold out. */
export function isEventSoldOut(prices: readonly PriceRecord[], stocks: Stocks): boolean {
  const onSale = prices.filter(({ status }) => status === 'active');
  return onSale.length > 0 && onSale.every((price) => isSoldOut(price, stocks));
}
