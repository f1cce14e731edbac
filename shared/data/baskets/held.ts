import type { Basket } from '../../domain/baskets/basket.ts';
import { readIndexPage } from '../lists/index-page.ts';
import { heldBasketsPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { heldSortKey, parseBasket } from './row.ts';

interface HeldListing {
  readonly orgId: string;
  readonly eventId: number;
  /** The sort key of the last basket of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

interface HeldPage {
  readonly baskets: readonly Basket[];
  /** The next page begins after this sort key; undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * Reads baskets of an event that are kept for days, those that end first come first. A basket whose time is over is listed until
 * the sweeper has come by. The index shows a change within milliseconds as a rule.
 */
export async function readHeldBaskets(table: Table, { orgId, eventId, after, limit }: HeldListing): Promise<HeldPage> {
  const { items, hasMore } = await readIndexPage(table, {
    partition: heldBasketsPartition(orgId, eventId),
    after,
    limit,
  });
  const baskets = items.map(parseBasket);
  const last = baskets.at(-1);
  return { baskets, next: hasMore && last !== undefined ? heldSortKey(last) : undefined };
}
