import { haveSameCount, keysInOrder } from '../positions/read.ts';
import { retryUntil } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { allOrders, changedOrders, ordersChanged, parseChangedPosition } from './positions.ts';
import { type ListedOrders, readListedOrders } from './read-listed.ts';

interface ChangedListing {
  readonly orgId: string;
  /** Only orders that changed after this second. */
  readonly updatedSince: number;
  /** Where the page before it ended. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Orders of an earlier release are not in the list yet. */
interface NotMigrated {
  readonly outcome: 'not_migrated';
}

/**
 * Returns a page of the orders that changed after a second, by their last change. An order that changes while a client reads page after page
 * moves to the end: it may come again, and is not missed. Orders of a release that recorded no changes would be missed without
 * a word, so nothing is listed until they are migrated.
 */
export async function listChangedOrders(table: Table, listing: ChangedListing): Promise<ListedOrders | NotMigrated> {
  const { orgId, updatedSince, after, limit } = listing;
  const trees = { orgId, resource: 'orders' } as const;
  if (after === undefined && !(await haveSameCount(table, trees, [allOrders, changedOrders])))
    return { outcome: 'not_migrated' };
  return retryUntil('The orders change too often to be listed. Try again.', async () => {
    let keys: readonly string[] = [];
    // One key more says whether another page follows.
    for await (const part of keysInOrder(table, ordersChanged(orgId, updatedSince, after), { first: limit + 1 })) {
      keys = part;
      break;
    }
    const rows = keys.slice(0, limit).map(parseChangedPosition);
    // An older copy of a row would be passed over for good: its change is behind the cursor.
    const orders = await readListedOrders(table, orgId, { rows, consistent: true });
    if (orders.length < rows.length) return undefined;
    const hasMore = keys.length > limit;
    return { orders, hasMore, next: hasMore ? keys[limit - 1] : undefined };
  });
}
