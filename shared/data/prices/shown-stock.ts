import type { Stock } from '../../domain/prices/price.ts';
import { BriefMemory } from '../table/brief-memory.ts';
import type { Table } from '../table/table.ts';
import { readStock } from './stock.ts';

type Stocks = ReadonlyMap<number, Stock>;

const shown = new BriefMemory<Stocks>(1_000);

/**
 * The stock of an event as a web page shows it: read eventually consistent, and kept for a second. A browser keeps the price list for ten
 * seconds anyway, every buyer of a sale reads the same few items, and add-basket-item decides what is left.
 */
export function readShownStock(table: Table, orgId: string, eventId: number, nowMs: number): Promise<Stocks> {
  const name = `${orgId}#${eventId}`;
  return shown.read(table, { name, nowMs }, () => readStock(table, orgId, eventId, { consistent: false }));
}
