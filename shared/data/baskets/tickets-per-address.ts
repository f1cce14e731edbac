import * as v from 'valibot';
import type { Basket, ClientAddress } from '../../domain/baskets/basket.ts';
import { basketPersons, basketTickets } from '../../domain/baskets/line-item.ts';
import { getItem } from '../table/get-item.ts';
import { addressCountKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** Longer than any checkout takes. Every change extends it. */
const keptSeconds = 30 * 86_400;

/** The tickets and memberships of a basket that count for its client address: until they are sold or released. */
function countedTickets({ status, lines }: Basket): number {
  return status === 'open' || status === 'checking_out' ? basketTickets(lines) + basketPersons(lines) : 0;
}

/** How many tickets a change adds to the count. */
export function moreCounted({ before, after }: Pick<BasketChange, 'before' | 'after'>): number {
  return countedTickets(after) - countedTickets(before);
}

/** How many tickets the baskets of a client address may have. Only a storefront token has a limit. */
export interface AddressLimit {
  readonly maxTickets: number;
  /** Baskets that have expired by then count no more. */
  readonly nowUnix: number;
}

interface BasketChange {
  readonly orgId: string;
  readonly before: Basket;
  readonly after: Basket;
  readonly maxTickets?: number | undefined;
}

/**
 * Returns the transaction item that counts the tickets of a basket for its client address, for the transaction that changes
 * the basket. Each change is written once, so the count is always the sum over the baskets of the address, and names
 * each of them with its expiry. It is refused if the address would have more than its limit. A basket of an API key is not counted.
 */
export function addressCountMoves(table: Table, { orgId, before, after, maxTickets }: BasketChange): TransactItem[] {
  const more = moreCounted({ before, after });
  if (before.openedFrom === null || more === 0) return [];
  const update = more > 0 ? countMore(after, more, maxTickets) : countFewer(after, -more);
  return [{ Update: { TableName: table.name, Key: keyOf(orgId, before.openedFrom), ...update } }];
}

const keyOf = (orgId: string, { tokenId, address }: ClientAddress) => addressCountKey(orgId, tokenId, address);

/** The attribute of a basket in the count of its address. Its value is the expiry of the basket. */
const attributeOf = ({ basketId }: Basket): string => `b${basketId.toString(36)}`;
const basketAttribute = /^b[0-9a-z]+$/;

function countMore(after: Basket, more: number, maxTickets = Number.MAX_SAFE_INTEGER) {
  const { expiresUnix } = after;
  return {
    UpdateExpression: 'ADD tickets :more SET #basket = :expires, #ttl = :ttl',
    // An address without an item has no tickets yet.
    ConditionExpression: more <= maxTickets ? 'attribute_not_exists(tickets) OR tickets <= :room' : 'tickets <= :room',
    ExpressionAttributeNames: { '#basket': attributeOf(after), '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':more': more,
      ':expires': expiresUnix,
      ':ttl': expiresUnix + keptSeconds,
      ':room': maxTickets - more,
    },
  };
}

/** An item that is gone counts as one without other tickets. */
function countFewer(after: Basket, fewer: number) {
  const fewerTickets = 'SET tickets = if_not_exists(tickets, :fewer) - :fewer';
  const ExpressionAttributeValues = { ':fewer': fewer };
  if (countedTickets(after) > 0) return { UpdateExpression: fewerTickets, ExpressionAttributeValues };
  return {
    UpdateExpression: `${fewerTickets} REMOVE #basket`,
    ExpressionAttributeNames: { '#basket': attributeOf(after) },
    ExpressionAttributeValues,
  };
}

interface AddressCount {
  readonly tickets: number;
  /** The baskets that are counted although their time is over, the oldest first: the sweeper has not come by yet. */
  readonly expired: readonly number[];
}

const StoredCount = v.objectWithRest({ tickets: v.optional(v.number(), 0) }, v.unknown());

/** Reads what is counted for the address of a basket. */
export async function readAddressCount(
  table: Table,
  orgId: string,
  { openedFrom }: Basket,
  nowUnix: number,
): Promise<AddressCount> {
  if (openedFrom === null) return { tickets: 0, expired: [] };
  const item = await getItem(table, keyOf(orgId, openedFrom), { consistent: true });
  const { tickets, ...attributes } = v.parse(StoredCount, item ?? {});
  const baskets = Object.entries(attributes)
    .filter(([name]) => basketAttribute.test(name))
    .map(([name, expires]) => ({
      basketId: Number.parseInt(name.slice(1), 36),
      expires: v.parse(v.number(), expires),
    }));
  const expired = baskets.filter(({ expires }) => expires <= nowUnix).sort((a, b) => a.expires - b.expires);
  return { tickets, expired: expired.map(({ basketId }) => basketId) };
}
