import * as v from 'valibot';
import type { PriceRecord, Stock } from '../../domain/prices/price.ts';
import { stockKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

const StoredStock = v.object({ avail: v.number(), capacity: v.number() });

/** Identifies the stock of a price. */
export type PriceRef = Pick<PriceRecord, 'eventId' | 'index'>;

/** Returns the stock of every price of an event, by the price's index, with one Query. */
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

/** A change of a price also writes its version to the stock item, so that the stream consumer sees price changes (ADR 0018). */
type VersionedPrice = PriceRef & Pick<PriceRecord, 'version'>;

export function stockItem(orgId: string, price: VersionedPrice, { avail, capacity }: Stock) {
  const { eventId, index, version: priceVersion } = price;
  return { ...stockKey(orgId, eventId, index), avail, capacity, priceVersion };
}

/** The transaction item that takes so many tickets. It is refused if fewer are available. */
export function takeStock(table: Table, orgId: string, { eventId, index }: PriceRef, tickets: number): TransactItem {
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

/** The transaction item that returns so many tickets. The caller makes sure that it is written once. */
export function returnStock(table: Table, orgId: string, { eventId, index }: PriceRef, tickets: number): TransactItem {
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
 * The transaction item that changes the capacity of a price; the available tickets change by the difference. It is refused if
 * the capacity is no longer `from`, or if too many tickets are held or sold in the meantime.
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
