import { readMembershipTypes } from '../../../data/membership/config.ts';
import type { PricedEvent } from '../../../data/prices/read.ts';
import { readStock } from '../../../data/prices/stock.ts';
import { readZoneStocks, seatStocks, type ZoneStocks } from '../../../data/seats/stock.ts';
import type { Table } from '../../../data/table/table.ts';
import { toThousandths } from '../../../domain/money.ts';
import { chargedDecimals, unchargeable } from '../../../domain/prices/amounts.ts';
import { type PriceRecord, priceOfId, type Stock } from '../../../domain/prices/price.ts';
import { problem, referenceMissing } from '../../problem.ts';
import { requirePricedEvent } from '../from-path/event-from-path.ts';

/** What a response shows of a price in addition to the price itself. */
export interface SavedPriceContext extends PricedEvent {
  readonly stocks: ReadonlyMap<number, Stock>;
  readonly membershipTypes: ReadonlyMap<number, { readonly title: string }>;
  /** Undefined if the event has no seat map. */
  readonly zones: ZoneStocks | undefined;
  readonly isPublic: false;
}

export async function readPriceContext(table: Table, orgId: string, eventId: number): Promise<SavedPriceContext> {
  const [priced, stocks, membershipTypes] = await Promise.all([
    requirePricedEvent(table, orgId, eventId),
    readStock(table, orgId, eventId),
    readMembershipTypes(table, orgId),
  ]);
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

interface Amounts {
  readonly price?: number | undefined;
  readonly rebate?: number | undefined;
  readonly service_fee?: number | undefined;
  readonly service_tax?: number | undefined;
  readonly tax_rate?: number | null | undefined;
}

/** What a schema cannot say about amounts: how many decimals they may have. */
export function checkAmounts({ price, rebate, service_fee, service_tax, tax_rate }: Amounts, currency: string): void {
  const amounts = { price: price ?? null, rebate: rebate ?? null, service_fee: service_fee ?? null };
  const param = unchargeable({ ...amounts, service_tax: service_tax ?? null }, currency);
  if (param !== undefined) {
    throw problem('parameter_invalid', `The parameter ${param} ${chargedDecimals(currency)}`, { param });
  }
  if (tax_rate != null && toThousandths(tax_rate) === undefined) {
    const message = 'The parameter tax_rate must have at most three decimals.';
    throw problem('parameter_invalid', message, { param: 'tax_rate' });
  }
}

/** An id of another event names nothing here. */
export function indexInEvent(id: number | undefined, eventId: number): number | undefined {
  const ref = id === undefined ? undefined : priceOfId(id);
  return ref?.eventId === eventId ? ref.index : undefined;
}

/** An id of a pool of another event, or of none, names no pool of this one. */
export function checkPool(poolId: number | null | undefined, eventId: number): void {
  if (poolId != null && indexInEvent(poolId, eventId) === undefined) {
    throw referenceMissing('pool of the event', 'pool_id');
  }
}
