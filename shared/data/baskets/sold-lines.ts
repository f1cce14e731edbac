import type { JournalEntry } from '../../domain/journal/entry.ts';
import { type SoldLine, soldLines } from '../../domain/receipts/sold-lines.ts';
import { batchGet } from '../table/batch-get.ts';
import { basketKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { isBasketRow, parseBasket } from './row.ts';

/** What the orders of entries have sold, with titles and tax rates of then, by the id of the order. Events are left out. */
export async function readSoldLines(
  table: Table,
  orgId: string,
  entries: readonly Pick<JournalEntry, 'orderId' | 'prices' | 'types'>[],
): Promise<ReadonlyMap<number, readonly SoldLine[]>> {
  const selling = entries.filter(({ prices, types }) => prices.length + types.length > 0);
  const ids = [...new Set(selling.map(({ orderId }) => orderId))];
  const items = await batchGet(
    table,
    ids.map((orderId) => basketKey(orgId, orderId)),
    { consistent: true },
  );
  const baskets = items.filter(isBasketRow).map(parseBasket);
  return new Map(
    baskets.map(({ basketId, lines, currency }) => [
      basketId,
      soldLines(lines, { currency: currency ?? '', event: null }),
    ]),
  );
}
