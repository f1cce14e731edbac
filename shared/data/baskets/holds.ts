import { type Basket, type BasketHolder, basketTickets } from '../../domain/baskets/basket.ts';
import { holdKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** Longer than any checkout takes. Every change extends it. */
const keptSeconds = 30 * 86_400;

/** The tickets that a basket holds in the count of its client address: until they are sold or released. */
function heldTickets({ status, lines }: Basket): number {
  return status === 'open' || status === 'checking_out' ? basketTickets(lines) : 0;
}

interface BasketChange {
  readonly orgId: string;
  readonly before: Basket;
  readonly after: Basket;
  /** Only a storefront token has a limit. */
  readonly maxHeld?: number | undefined;
}

/**
 * Returns the transaction item that counts the tickets which the client address of a basket holds, for the transaction that
 * changes the basket. Each change is written once, so the count is always the sum over the baskets of the address. It is
 * refused if the address would hold more than its limit. A basket of an API key is not counted.
 */
export function holdMoves(table: Table, { orgId, before, after, maxHeld }: BasketChange): TransactItem[] {
  const more = heldTickets(after) - heldTickets(before);
  if (before.holder === null || more === 0) return [];
  const ttl = after.expiresUnix + keptSeconds;
  return [
    {
      Update:
        more > 0
          ? hold(table, { orgId, ...before.holder }, { more, maxHeld, ttl })
          : release(table, { orgId, ...before.holder }, -more),
    },
  ];
}

type Address = BasketHolder & { readonly orgId: string };

function hold(
  table: Table,
  { orgId, tokenId, address }: Address,
  { more, maxHeld = Number.MAX_SAFE_INTEGER, ttl }: { more: number; maxHeld: number | undefined; ttl: number },
) {
  return {
    TableName: table.name,
    Key: holdKey(orgId, tokenId, address),
    UpdateExpression: 'ADD tickets :more SET #ttl = :ttl',
    // An address without an item holds nothing yet.
    ConditionExpression: more <= maxHeld ? 'attribute_not_exists(tickets) OR tickets <= :room' : 'tickets <= :room',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':more': more, ':ttl': ttl, ':room': maxHeld - more },
  };
}

/** An item that is gone counts as one that holds nothing else. */
function release(table: Table, { orgId, tokenId, address }: Address, fewer: number) {
  return {
    TableName: table.name,
    Key: holdKey(orgId, tokenId, address),
    UpdateExpression: 'SET tickets = if_not_exists(tickets, :fewer) - :fewer',
    ExpressionAttributeValues: { ':fewer': fewer },
  };
}
