import * as v from 'valibot';
import type { PriceRecord, Stock } from '../../domain/prices/price.ts';
import { stockKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

const StoredStock = v.object({ avail: v.number(), capacity: v.number() });

/** What names the stock of a price. */
export type StockedPrice = Pick<PriceRecord, 'eventId' | 'index'>;

/** The stock of every price of an event, by the price's index: one Query. */
export async function readStock(
  table: Table,
  orgId: string,
  eventId: number,
  { consistent = true }: ReadOptions = {},
): Promise<ReadonlyMap<number, Stock>> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': stockKey(orgId, eventId, 1).pk },
    ConsistentRead: consistent,
  });
  return new Map(items.map((item) => [Number(item.sk), v.parse(StoredStock, item)]));
}

/** Whoever changes a price writes its version here too: what follows the stock follows the price with it (ADR 0018). */
type VersionedPrice = StockedPrice & Pick<PriceRecord, 'version'>;

export function stockItem(orgId: string, price: VersionedPrice, { avail, capacity }: Stock) {
  const { eventId, index, version: priceVersion } = price;
  return { ...stockKey(orgId, eventId, index), avail, capacity, priceVersion };
}

/** The part of a transaction that takes so many tickets, or refuses all of it because fewer are left. */
export function takeStock(
  table: Table,
  orgId: string,
  { eventId, index }: StockedPrice,
  tickets: number,
): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: stockKey(orgId, eventId, index),
      UpdateExpression: 'SET avail = avail - :tickets',
      ConditionExpression: 'avail >= :tickets',
      ExpressionAttributeValues: { ':tickets': tickets },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** The part of a transaction that gives so many tickets back. Whoever writes it makes sure that it happens once. */
export function returnStock(
  table: Table,
  orgId: string,
  { eventId, index }: StockedPrice,
  tickets: number,
): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: stockKey(orgId, eventId, index),
      UpdateExpression: 'SET avail = avail + :tickets',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':tickets': tickets },
    },
  };
}

/**
 * The part of a transaction that changes a price, and with it how many tickets there are: what is available moves by the
 * difference. It is refused when the capacity is no longer what it was, or when the tickets to take away are held or sold meanwhile.
 */
export function changeCapacity(
  table: Table,
  orgId: string,
  { eventId, index, version }: VersionedPrice,
  { from, to }: { readonly from: number; readonly to: number },
): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: stockKey(orgId, eventId, index),
      UpdateExpression: 'SET avail = avail + :more, #capacity = :to, priceVersion = :version',
      ConditionExpression: '#capacity = :from AND avail >= :fewer',
      ExpressionAttributeNames: { '#capacity': 'capacity' },
      ExpressionAttributeValues: {
        ':more': to - from,
        ':fewer': Math.max(0, from - to),
        ':from': from,
        ':to': to,
        ':version': version,
      },
    },
  };
}
