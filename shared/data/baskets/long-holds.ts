import { type Basket, basketStatusAt } from '../../domain/baskets/basket.ts';
import { readIndexPage } from '../lists/index-page.ts';
import { longHoldsPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { longHoldSortKey, parseBasket } from './row.ts';

interface LongHoldListing {
  readonly orgId: string;
  readonly eventId: number;
  /** The sort key of the last basket of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
  /** Leaves out those whose time is over then. Otherwise they are listed until the sweeper has come by. */
  readonly nowUnix?: number;
}

interface LongHoldPage {
  readonly baskets: readonly Basket[];
  /** The next page begins after this sort key; undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * Reads baskets of an event that are kept for days, those that end first come first. A page is
 * filled with the next ones where some are left out. The index shows a change within
 * milliseconds as a rule.
 */
export async function readLongHolds(table: Table, listing: LongHoldListing): Promise<LongHoldPage> {
  const { orgId, eventId, limit, nowUnix } = listing;
  const found: Basket[] = [];
  for (let after: string | undefined = listing.after; ; ) {
    // One more than the page shows whether another one follows.
    const page = { partition: longHoldsPartition(orgId, eventId), after, limit: limit + 1 };
    const { items, hasMore } = await readIndexPage(table, page);
    const baskets = items.map(parseBasket);
    found.push(...baskets.filter((basket) => nowUnix === undefined || basketStatusAt(basket, nowUnix) !== 'expired'));
    const last = baskets.at(-1);
    if (found.length > limit || !hasMore || last === undefined) break;
    after = longHoldSortKey(last);
  }
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { baskets: shown, next: found.length > limit && last !== undefined ? longHoldSortKey(last) : undefined };
}
