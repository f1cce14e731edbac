import { isEventSoldOut } from '../domain/price-record.ts';
import { changeEvent } from './events-save.ts';
import { readPriceList } from './prices-read.ts';
import { readStock } from './stock.ts';
import type { Table } from './table.ts';

/** Brings the sold_out of an event in step with what is left of its prices. Where it is already, nothing is written. */
export async function followStock(table: Table, orgId: string, eventId: number): Promise<void> {
  const [{ prices }, stocks] = await Promise.all([
    readPriceList(table, orgId, eventId, { consistent: true }),
    readStock(table, orgId, eventId),
  ]);
  const soldOut = isEventSoldOut(prices, stocks);
  await changeEvent(table, orgId, eventId, (event) => ({ ...event, soldOut }));
}
