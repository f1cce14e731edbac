import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Basket } from '../../domain/baskets/basket.ts';
import { settleDueUnix } from '../../domain/baskets/checkout.ts';
import { nameIdentity } from '../../domain/customers/shared-address.ts';
import { basketBuyerKey } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { readBasket } from './baskets.ts';

/** Each time a process takes over the checkout it extends this, so that the pointer outlives the checkout. */
const keptSeconds = 7 * 86_400;

/**
 * The pointer from the buyer's email address to a basket that is being checked out, in the same transaction as the claim:
 * the erasure of a person finds pending payments by it.
 */
export function buyerPointerPuts(table: Table, orgId: string, { basketId, checkout }: Basket): TransactItem[] {
  if (checkout === null || checkout.buyer === null) return [];
  const key = basketBuyerKey(orgId, checkout.buyer.emailAddress, basketId);
  const item = { ...key, basketId, names: nameIdentity(checkout.buyer), ttl: settleDueUnix(checkout) + keptSeconds };
  return [{ Put: { TableName: table.name, Item: item } }];
}

const Pointer = v.object({ basketId: v.number(), names: v.string() });

export interface BuyerBasket {
  readonly basket: Basket;
  /** The names of the last buyer with the address: people share addresses, and an open basket contains no buyer. */
  readonly names: string;
}

/** The baskets that were checked out with this address in the last days, in any status. */
export async function basketsOfBuyer(
  table: Table,
  orgId: string,
  emailAddress: string,
): Promise<readonly BuyerBasket[]> {
  const baskets: BuyerBasket[] = [];
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': basketBuyerKey(orgId, emailAddress, 0).pk },
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

export async function removeBuyerPointer(
  table: Table,
  orgId: string,
  { basketId, emailAddress }: { readonly basketId: number; readonly emailAddress: string },
): Promise<void> {
  const key = basketBuyerKey(orgId, emailAddress, basketId);
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: key }));
}
