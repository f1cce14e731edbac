import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Basket } from '../../domain/baskets/basket.ts';
import { settleDueUnix } from '../../domain/baskets/checkout.ts';
import { nameIdentity } from '../../domain/customers/shared-address.ts';
import { basketBuyerKey, basketFanKey } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { readBasket } from './baskets.ts';

/** Each time a process takes over the checkout it extends this, so that the pointer outlives the checkout. */
const keptSeconds = 7 * 86_400;

/**
 * The pointers from the buyer's email address, and from the customer of a signed-in fan, to a basket that is being checked out,
 * in the same transaction as the claim: the erasure of a person finds pending payments by them.
 */
export function buyerPointerPuts(table: Table, orgId: string, { basketId, checkout }: Basket): TransactItem[] {
  if (checkout === null || checkout.buyer === null) return [];
  const { buyer, fan } = checkout;
  const pointer = { basketId, names: nameIdentity(buyer), ttl: settleDueUnix(checkout) + keptSeconds };
  const userId = fan?.userId ?? null;
  const keys = [
    basketBuyerKey(orgId, buyer.emailAddress, basketId),
    ...(userId === null ? [] : [basketFanKey(orgId, userId, basketId)]),
  ];
  return keys.map((key) => ({ Put: { TableName: table.name, Item: { ...key, ...pointer } } }));
}

const Pointer = v.object({ basketId: v.number(), names: v.string() });

export interface BuyerBasket {
  readonly basket: Basket;
  /** The names of the last buyer with the address: people share addresses, and an open basket contains no buyer. */
  readonly names: string;
}

/** The baskets that were checked out with this address in the last days, in any status. */
export function basketsOfBuyer(table: Table, orgId: string, emailAddress: string): Promise<readonly BuyerBasket[]> {
  return basketsIn(table, orgId, basketBuyerKey(orgId, emailAddress, 0).pk);
}

/** The baskets that fans of this customer have checked out in the last days, in any status. */
export function basketsOfFan(table: Table, orgId: string, userId: number): Promise<readonly BuyerBasket[]> {
  return basketsIn(table, orgId, basketFanKey(orgId, userId, 0).pk);
}

async function basketsIn(table: Table, orgId: string, pk: string): Promise<readonly BuyerBasket[]> {
  const baskets: BuyerBasket[] = [];
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
  for await (const items of pages) {
    for (const item of items) {
      const { basketId, names } = v.parse(Pointer, item);
      const basket = await readBasket(table, orgId, basketId);
      if (basket !== undefined) baskets.push({ basket, names });
    }
  }
  return baskets;
}

/** Removes the pointers to a basket from a person's address and customer. */
export async function removeBuyerPointers(
  table: Table,
  orgId: string,
  { basketId, emailAddress, userId }: { basketId: number; emailAddress: string | null; userId: number },
): Promise<void> {
  const keys = [
    ...(emailAddress === null ? [] : [basketBuyerKey(orgId, emailAddress, basketId)]),
    basketFanKey(orgId, userId, basketId),
  ];
  for (const Key of keys) await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
}
