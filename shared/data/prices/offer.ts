import type { Offer } from '../../domain/baskets/offer.ts';
import { priceOfId } from '../../domain/prices/price.ts';
import type { Table } from '../table/table.ts';
import { readEventWithCategories, readPrice } from './read.ts';

/**
 * Returns the current price with its category, event, pool and phases; undefined if the organisation has no such price. Category and pool
 * are not known before the price is read, so all of the event are read at the same time: they are few.
 */
export async function readOffer(table: Table, orgId: string, priceId: number): Promise<Offer | undefined> {
  const priceRef = priceOfId(priceId);
  if (priceRef === undefined) return undefined;
  const [price, found] = await Promise.all([
    readPrice(table, orgId, priceRef),
    readEventWithCategories(table, orgId, priceRef.eventId, { consistent: true }),
  ]);
  if (price === undefined || found === undefined) return undefined;
  const category = found.categories.get(price.categoryId);
  const pool = price.poolIndex === null ? null : found.pools.get(price.poolIndex);
  if (category === undefined || pool === undefined) return undefined;
  const revealedBy = found.revealedBy.get(price.index) ?? [];
  return { event: found.event, category, price, pool, revealedBy, phases: found.phases?.phases ?? [] };
}
