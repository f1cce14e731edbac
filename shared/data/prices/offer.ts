import type { Offer } from '../../domain/baskets/changes.ts';
import { priceOfId } from '../../domain/prices/price.ts';
import { parseEvent } from '../events/row.ts';
import { pricedEventKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { readPrice } from './read.ts';
import { parseCategory } from './row.ts';

/**
 * Returns the current price with its category and event; undefined if the organisation has no such price. The category is not
 * known before the price is read, so all categories of the event are read at the same time: they are few, and next to the copy
 * of the event.
 */
export async function readOffer(table: Table, orgId: string, priceId: number): Promise<Offer | undefined> {
  const priceRef = priceOfId(priceId);
  if (priceRef === undefined) return undefined;
  const { pk, sk } = pricedEventKey(orgId, priceRef.eventId);
  const [price, rows] = await Promise.all([
    readPrice(table, orgId, priceRef),
    queryAll(table, {
      KeyConditionExpression: 'pk = :pk AND sk <= :event',
      ExpressionAttributeValues: { ':pk': pk, ':event': sk },
      ConsistentRead: true,
    }),
  ]);
  const event = rows.find((row) => row.sk === sk);
  if (price === undefined || event === undefined) return undefined;
  const categories = rows.filter((row) => row !== event).map(parseCategory);
  const category = categories.find(({ categoryId }) => categoryId === price.categoryId);
  return category && { event: parseEvent(event), category, price };
}
