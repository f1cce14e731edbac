import { readMembershipTypes } from '../data/membership/config.ts';
import { type PricedEvent, readPricedEvent } from '../data/prices/read.ts';
import { readStock } from '../data/prices/stock.ts';
import { readZoneStocks, seatStocks, type ZoneStocks } from '../data/seats/stock.ts';
import type { Table } from '../data/table/table.ts';
import type { PriceRecord, Stock } from '../domain/prices/price.ts';

/** What a response shows of a price in addition to the price itself. */
export interface SavedPriceContext extends PricedEvent {
  readonly stocks: ReadonlyMap<number, Stock>;
  readonly membershipTypes: ReadonlyMap<number, { readonly title: string }>;
  /** Undefined if the event has no seat map. */
  readonly zones: ZoneStocks | undefined;
  readonly isPublic: false;
}

/** Undefined if the organisation has no such event. */
export async function readPriceContext(
  table: Table,
  orgId: string,
  eventId: number,
): Promise<SavedPriceContext | undefined> {
  const [priced, stocks, membershipTypes] = await Promise.all([
    readPricedEvent(table, orgId, eventId),
    readStock(table, orgId, eventId),
    readMembershipTypes(table, orgId),
  ]);
  if (priced === undefined) return undefined;
  const zones = await readZoneStocks(table, orgId, priced.event);
  const seated = zones === undefined ? stocks : seatStocks(priced, stocks, zones);
  return { ...priced, stocks: seated, zones, membershipTypes, isPublic: false };
}

/** The stocks after the price got this capacity: what was left before, and the difference. */
export function withCapacity(
  context: SavedPriceContext,
  price: Pick<PriceRecord, 'index' | 'categoryId'>,
  capacity: number | null | undefined,
): SavedPriceContext {
  if (capacity === undefined) return context;
  const { index } = price;
  const stocks = new Map(context.stocks);
  const known = stocks.get(index) ?? { avail: 0, capacity: 0 };
  if (capacity === null) stocks.delete(index);
  else stocks.set(index, { ...known, avail: known.avail + capacity - known.capacity, capacity });
  const { zones, categories } = context;
  return {
    ...context,
    stocks: zones === undefined ? stocks : seatStocks({ categories, prices: [price] }, stocks, zones),
  };
}
