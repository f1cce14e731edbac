import { releaseBasket } from '../../domain/baskets/changes.ts';
import { stockIndexes } from '../../domain/prices/pool.ts';
import type { WaitingEntry } from '../../domain/waiting-list/entry.ts';
import { changeBasket } from '../baskets/baskets.ts';
import { readPrice } from '../prices/read.ts';
import { readEventSlices } from '../prices/stock.ts';
import { waitingEntryKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { otherRowDeletes } from '../waiting-list/change.ts';
import { isClosedStock, touchClosedStock } from '../waiting-list/closed-stock.ts';
import { readEntry } from '../waiting-list/read.ts';

/** Deletes an entry of a waiting list with its place. A basket that is offered is released; one that is being paid is not the list's. */
export function eraseEntry(
  table: Table,
  orgId: string,
  { eventId, entryId }: Pick<WaitingEntry, 'eventId' | 'entryId'>,
): Promise<'erased'> {
  return retryRaces('waiting list', async () => {
    const before = await readEntry(table, orgId, { eventId, entryId });
    if (before === undefined) return 'erased';
    if (before.basketId !== null) {
      const { basketId } = before;
      await changeBasket(table, {
        orgId,
        basketId,
        decide: (basket) =>
          basket.status === 'open' ? releaseBasket(basket, 'cancelled') : { outcome: 'unchanged', basket },
      });
    }
    const Key = waitingEntryKey(orgId, eventId, entryId);
    const items = [
      { Delete: { TableName: table.name, Key, ...unchangedSince(before) } },
      ...otherRowDeletes(table, { orgId, before }),
      ...(await touches(table, orgId, before)),
    ];
    return (await transact(table, items)).length === 0 ? 'erased' : undefined;
  });
}

/** The worker of the stream opens a stock that nobody waits for any more. */
async function touches(table: Table, orgId: string, { eventId, priceIndex }: WaitingEntry) {
  const price = await readPrice(table, orgId, { eventId, index: priceIndex });
  const seen = { orgId, eventId, slices: await readEventSlices(table, orgId, eventId) };
  const closed = price === undefined ? [] : stockIndexes(price).filter((index) => isClosedStock(seen, index));
  return closed.map((index) => touchClosedStock(table, seen, index));
}
