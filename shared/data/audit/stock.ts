import { type Finding, nameRow, stockDifference } from '../../domain/audit/finding.ts';
import { readSales } from '../counters/sales.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { readStock } from '../prices/stock.ts';
import { stockKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { pendingBaskets } from './pending-baskets.ts';

/**
 * Checks for every price of an event that capacity = available + held + sold. Held tickets are those of baskets that have not
 * ended; they are read only if a price has tickets that are neither available nor sold.
 */
export async function auditStock(table: Table, event: CountedEvent): Promise<readonly Finding[] | undefined> {
  const { orgId, eventId } = event;
  const before = await readStock(table, orgId, eventId);
  const sold = await readSales(table, orgId, eventId);
  const soldOf = (index: number) => sold.get(index)?.tickets ?? 0;
  const isHeld = [...before].some(([index, stock]) => stockDifference(stock, { held: 0, sold: soldOf(index) }) !== 0);
  const held = isHeld ? await readHeld(table, event) : new Map<number, number>();
  const after = await readStock(table, orgId, eventId);
  const isChanged = [...after].some(([index, { avail, capacity }]) => {
    const known = before.get(index);
    return known?.avail !== avail || known.capacity !== capacity;
  });
  if (isChanged) return undefined;
  const prices = [...new Set([...after.keys(), ...sold.keys()])];
  return prices.flatMap((index) => {
    const stock = after.get(index) ?? { avail: 0, capacity: 0 };
    const difference = stockDifference(stock, { held: held.get(index) ?? 0, sold: soldOf(index) });
    if (difference === 0) return [];
    const problem =
      difference > 0
        ? `${difference} tickets are neither available, held nor sold.`
        : `${-difference} more tickets are available, held and sold than the capacity allows.`;
    return [{ check: 'stock', row: nameRow(stockKey(orgId, eventId, index)), problem }];
  });
}

/** The tickets of each price that baskets hold. */
async function readHeld(table: Table, event: CountedEvent): Promise<ReadonlyMap<number, number>> {
  const held = new Map<number, number>();
  for await (const { lines } of pendingBaskets(table, event)) {
    for (const { priceIndex, quantity, ticketsIncluded } of lines) {
      held.set(priceIndex, (held.get(priceIndex) ?? 0) + quantity * ticketsIncluded);
    }
  }
  return held;
}
