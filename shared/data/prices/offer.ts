import type { Offer } from '../../domain/baskets/changes.ts';
import { priceOfId } from '../../domain/prices/price.ts';
import { readEvent } from '../events/read.ts';
import type { Table } from '../table/table.ts';
import { readPrice, readPriceCategory } from './read.ts';

/** Returns the current price with its category and event; undefined if the organisation has no such price. */
export async function readOffer(table: Table, orgId: string, priceId: number): Promise<Offer | undefined> {
  const priceRef = priceOfId(priceId);
  if (priceRef === undefined) return undefined;
  const [price, event] = await Promise.all([
    readPrice(table, orgId, priceRef),
    readEvent(table, orgId, priceRef.eventId, { consistent: true }),
  ]);
  if (price === undefined || event === undefined) return undefined;
  const category = await readPriceCategory(table, orgId, priceRef.eventId, price.categoryId);
  return category && { event, category, price };
}
