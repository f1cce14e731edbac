import * as v from 'valibot';
import { slicesAfter, slicesOf } from '../../domain/prices/slices.ts';
import { getItem } from '../table/get-item.ts';
import { stockKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { lowerCapacity, stockOf } from './capacity.ts';
import { changeCapacity, type StockRef, stockItems } from './stock.ts';

const StoredStock = v.object({ capacity: v.number(), slices: v.optional(v.number(), 1) });

/**
 * Lets a stock follow a capacity that is stored elsewhere, when something is taken from it next, and returns how many slices it
 * has. So it is the same whoever has changed the capacity, and what was taken stays taken. A capacity below that gives nothing
 * until it is reached. The stock is never deleted, so that baskets can return what they hold. `what` names it for a client.
 */
export function followCapacity(
  table: Table,
  orgId: string,
  ref: StockRef,
  { capacity, what }: { readonly capacity: number; readonly what: string },
): Promise<number> {
  return retryRaces(what, async () => {
    const item = await getItem(table, stockKey(orgId, ref.eventId, ref.index), { consistent: true });
    const known = item && v.parse(StoredStock, item);
    if (known?.capacity === capacity) return known.slices;
    const stockWith = (stockSlices: number) => ({ ...ref, version: 1, stockSlices, stockVersion: 0 });
    if (known === undefined) {
      const stock = stockWith(slicesOf(capacity));
      const items = stockItems(orgId, stock, { avail: capacity, capacity });
      const puts = items.map((Item) => ({
        Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
      }));
      return (await transact(table, puts)).length === 0 ? stock.stockSlices : undefined;
    }
    const to = await reachable(table, orgId, ref, capacity);
    if (to === known.capacity) return known.slices;
    if (to === undefined) return undefined;
    const change = { from: known.capacity, to };
    const stock = stockWith(slicesAfter(known.slices, change));
    const refused = await transact(table, changeCapacity(table, orgId, stock, change));
    return refused.length === 0 ? stock.stockSlices : undefined;
  });
}

/** The capacity that the stock can have: not less than what is held and sold. Undefined if the stock has changed meanwhile. */
async function reachable(table: Table, orgId: string, ref: StockRef, capacity: number): Promise<number | undefined> {
  const stock = await stockOf(table, orgId, ref);
  if (stock === undefined || capacity >= stock.capacity) return capacity;
  const to = Math.max(capacity, stock.capacity - stock.avail);
  return (await lowerCapacity(table, orgId, ref, { stock, capacity: to })) === 'possible' ? to : undefined;
}
