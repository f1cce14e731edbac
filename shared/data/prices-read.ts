import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { PriceCategoryRecord, PriceRecord } from '../domain/price-record.ts';
import { priceKey } from './keys.ts';
import { parseCategory, parsePrice } from './prices-row.ts';
import { queryAll } from './query-all.ts';
import type { Reading } from './reading.ts';
import type { Table } from './table.ts';

export interface PriceList {
  /** By categoryId. */
  readonly categories: ReadonlyMap<number, PriceCategoryRecord>;
  /** In the order of their categories, then in their own. */
  readonly prices: readonly PriceRecord[];
}

/** All categories and prices of an event: one Query, since an event has at most 511 prices. */
export async function readPriceList(
  table: Table,
  orgId: string,
  eventId: number,
  { consistent = false }: Reading = {},
): Promise<PriceList> {
  const { pk } = priceKey(orgId, eventId, 1);
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: consistent,
  });
  const isPrice = ({ sk }: Record<string, unknown>): boolean => String(sk).startsWith('P#');
  const categories = new Map(
    items
      .filter((item) => !isPrice(item))
      .map(parseCategory)
      .map((category) => [category.categoryId, category]),
  );
  return { categories, prices: inOrder(items.filter(isPrice).map(parsePrice), categories) };
}

export async function readPrice(
  table: Table,
  orgId: string,
  { eventId, index }: { readonly eventId: number; readonly index: number },
): Promise<PriceRecord | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: priceKey(orgId, eventId, index), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : parsePrice(Item);
}

function inOrder(
  prices: readonly PriceRecord[],
  categories: ReadonlyMap<number, PriceCategoryRecord>,
): readonly PriceRecord[] {
  const placeOf = ({ categoryId }: PriceRecord): number => categories.get(categoryId)?.orderBy ?? 0;
  return prices.toSorted(
    (one, other) =>
      placeOf(one) - placeOf(other) ||
      one.categoryId - other.categoryId ||
      one.orderBy - other.orderBy ||
      one.index - other.index,
  );
}
