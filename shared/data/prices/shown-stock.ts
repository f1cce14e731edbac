import type { Stock } from '../../domain/prices/price.ts';
import type { Table } from '../table/table.ts';
import { readStock } from './stock.ts';

type Stocks = ReadonlyMap<number, Stock>;

const keptMs = 1_000;

/** What an instance has read in the last second, by organisation and event. */
type Kept = Map<string, { readonly readAtMs: number; readonly stocks: Promise<Stocks> }>;

/** By the meter of the table: an instance has one, and a table of its own for each request. */
const kept = new WeakMap<Table['meter'], Kept>();

/**
 * The stock of an event as a web page shows it: read eventually consistent, and kept for a second. A browser keeps the price list for ten
 * seconds anyway, every buyer of a sale reads the same few items, and add-basket-item decides what is left.
 */
export function readShownStock(table: Table, orgId: string, eventId: number, nowMs: number): Promise<Stocks> {
  const ofInstance: Kept = kept.get(table.meter) ?? new Map();
  kept.set(table.meter, ofInstance);
  for (const [name, { readAtMs }] of ofInstance) if (nowMs - readAtMs >= keptMs) ofInstance.delete(name);
  const name = `${orgId}#${eventId}`;
  const known = ofInstance.get(name);
  if (known !== undefined) return known.stocks;
  const stocks = readStock(table, orgId, eventId, { consistent: false });
  ofInstance.set(name, { readAtMs: nowMs, stocks });
  // The next request tries again.
  stocks.catch(() => ofInstance.delete(name));
  return stocks;
}
