import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Basket, BasketBuyer, Checkout } from '../../domain/baskets/basket.ts';
import { settleDueUnix } from '../../domain/baskets/checkout.ts';
import { nameIdentity } from '../../domain/customers/shared-address.ts';
import { personHash } from '../table/hash-key.ts';
import { basketBuyerKey, basketFanKey } from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import type { SideEffects } from '../table/transact.ts';
import { readBasket } from './baskets.ts';

/** Each process that takes over the checkout extends it: the pointer outlives the checkout. */
const keptSeconds = 7 * 86_400;

/** Who checks out a basket, and when the sweeper looks at it first. */
interface CheckedOutBy extends Pick<Checkout, 'fan'> {
  readonly buyer: BasketBuyer;
  readonly basketId: number;
  readonly dueUnix: number;
}

/**
 * The pointer to a basket that is being checked out, from the customer of a signed-in fan, who may type any address, or else from the
 * buyer's email address: the erasure of a person finds pending payments by it. They are written with the change, or before the basket is claimed.
 */
function pointerItems(orgId: string, { basketId, buyer, fan, dueUnix }: CheckedOutBy, hash: PersonHash) {
  const pointer = { basketId, names: nameIdentity(buyer), ttl: dueUnix + keptSeconds };
  const userId = fan?.userId ?? null;
  const key =
    userId === null ? basketBuyerKey(orgId, buyer.emailAddress, basketId, hash) : basketFanKey(orgId, userId, basketId);
  return [{ ...key, ...pointer }];
}

/** Returns the writes of a basket's pointers, for the transaction that changes the basket. */
export async function buyerPointerPuts(table: Table, orgId: string): Promise<SideEffects<Basket>> {
  const hash = await personHash(table);
  return ({ basketId, checkout }) => {
    if (checkout === null || checkout.buyer === null) return [];
    const { buyer, fan } = checkout;
    const items = pointerItems(orgId, { basketId, buyer, fan, dueUnix: settleDueUnix(checkout) }, hash);
    return items.map((Item) => ({ Put: { TableName: table.name, Item } }));
  };
}

/** Returns the write of the pointer from the person whom a new basket is kept for, for the transaction that opens it. */
export async function longHoldPuts(table: Table, orgId: string): Promise<SideEffects<Basket>> {
  const hash = await personHash(table);
  return ({ basketId, longHold, expiresUnix }) => {
    if (longHold === null || longHold.customer === null) return [];
    const items = pointerItems(orgId, { basketId, buyer: longHold.customer, fan: null, dueUnix: expiresUnix }, hash);
    return items.map((Item) => ({ Put: { TableName: table.name, Item } }));
  };
}

/** Writes the pointers before the claim. If the basket is not claimed after all, they point to a basket without a buyer. */
export async function putBuyerPointers(table: Table, orgId: string, checkedOutBy: CheckedOutBy): Promise<void> {
  const items = pointerItems(orgId, checkedOutBy, await personHash(table));
  await Promise.all(items.map((Item) => table.client.send(new PutCommand({ TableName: table.name, Item }))));
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
  return basketsIn(table, orgId, basketBuyerKey(orgId, emailAddress, 0, await personHash(table)).pk);
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

/** Removes the pointers to a basket from addresses of a person. */
export async function removeAddressPointers(
  table: Table,
  orgId: string,
  { basketId, addresses }: { readonly basketId: number; readonly addresses: readonly string[] },
): Promise<void> {
  const hash = await personHash(table);
  for (const address of addresses) {
    const Key = basketBuyerKey(orgId, address, basketId, hash);
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
  }
}

/** Removes the pointer to a basket from the customer of a fan. */
export async function removeFanPointer(
  table: Table,
  orgId: string,
  { basketId, userId }: { readonly basketId: number; readonly userId: number },
): Promise<void> {
  const Key = basketFanKey(orgId, userId, basketId);
  await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
}
