import * as v from 'valibot';
import type { Basket, BasketHolder } from '../../domain/baskets/basket.ts';
import { basketPersons, basketTickets } from '../../domain/baskets/line-item.ts';
import { getItem } from '../table/get-item.ts';
import { holdKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** Longer than any checkout takes. Every change extends it. */
const keptSeconds = 30 * 86_400;

/** The tickets and memberships that a basket holds in the count of its client address: until they are sold or released. */
function heldTickets({ status, lines }: Basket): number {
  return status === 'open' || status === 'checking_out' ? basketTickets(lines) + basketPersons(lines) : 0;
}

/** How many tickets a change adds to the count. */
export function moreHeld({ before, after }: Pick<BasketChange, 'before' | 'after'>): number {
  return heldTickets(after) - heldTickets(before);
}

/** How many tickets a client address may hold. Only a storefront token has a limit. */
export interface HoldLimit {
  readonly maxHeld: number;
  /** Baskets that have expired by then hold nothing. */
  readonly nowUnix: number;
}

interface BasketChange {
  readonly orgId: string;
  readonly before: Basket;
  readonly after: Basket;
  readonly maxHeld?: number | undefined;
}

/**
 * Returns the transaction item that counts the tickets which the client address of a basket holds, for the transaction that
 * changes the basket. Each change is written once, so the count is always the sum over the baskets of the address, and names
 * each of them with its expiry. It is refused if the address would hold more than its limit. A basket of an API key is not counted.
 */
export function holdMoves(table: Table, { orgId, before, after, maxHeld }: BasketChange): TransactItem[] {
  const more = moreHeld({ before, after });
  if (before.holder === null || more === 0) return [];
  const update = more > 0 ? hold(after, more, maxHeld) : release(after, -more);
  return [{ Update: { TableName: table.name, Key: keyOf(orgId, before.holder), ...update } }];
}

const keyOf = (orgId: string, { tokenId, address }: BasketHolder) => holdKey(orgId, tokenId, address);

/** The attribute of a basket in the count of its address. Its value is the expiry of the basket. */
const attributeOf = ({ basketId }: Basket): string => `b${basketId.toString(36)}`;
const basketAttribute = /^b[0-9a-z]+$/;

function hold(after: Basket, more: number, maxHeld = Number.MAX_SAFE_INTEGER) {
  const { expiresUnix } = after;
  return {
    UpdateExpression: 'ADD tickets :more SET #basket = :expires, #ttl = :ttl',
    // An address without an item holds nothing yet.
    ConditionExpression: more <= maxHeld ? 'attribute_not_exists(tickets) OR tickets <= :room' : 'tickets <= :room',
    ExpressionAttributeNames: { '#basket': attributeOf(after), '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':more': more,
      ':expires': expiresUnix,
      ':ttl': expiresUnix + keptSeconds,
      ':room': maxHeld - more,
    },
  };
}

/** An item that is gone counts as one that holds nothing else. */
function release(after: Basket, fewer: number) {
  const fewerTickets = 'SET tickets = if_not_exists(tickets, :fewer) - :fewer';
  const ExpressionAttributeValues = { ':fewer': fewer };
  if (heldTickets(after) > 0) return { UpdateExpression: fewerTickets, ExpressionAttributeValues };
  return {
    UpdateExpression: `${fewerTickets} REMOVE #basket`,
    ExpressionAttributeNames: { '#basket': attributeOf(after) },
    ExpressionAttributeValues,
  };
}

interface Holds {
  readonly tickets: number;
  /** The baskets that are counted although their time is over, the oldest first: the sweeper has not come by yet. */
  readonly expired: readonly number[];
}

const HoldItem = v.objectWithRest({ tickets: v.optional(v.number(), 0) }, v.unknown());

/** Reads what is counted for the address of a basket. */
export async function readHolds(table: Table, orgId: string, { holder }: Basket, nowUnix: number): Promise<Holds> {
  if (holder === null) return { tickets: 0, expired: [] };
  const item = await getItem(table, keyOf(orgId, holder), { consistent: true });
  const { tickets, ...attributes } = v.parse(HoldItem, item ?? {});
  const baskets = Object.entries(attributes)
    .filter(([name]) => basketAttribute.test(name))
    .map(([name, expires]) => ({
      basketId: Number.parseInt(name.slice(1), 36),
      expires: v.parse(v.number(), expires),
    }));
  const expired = baskets.filter(({ expires }) => expires <= nowUnix).sort((a, b) => a.expires - b.expires);
  return { tickets, expired: expired.map(({ basketId }) => basketId) };
}
