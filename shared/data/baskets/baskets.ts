import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Basket, newBasket } from '../../domain/baskets/basket.ts';
import type { BasketRefusal, Decision, StockMove } from '../../domain/baskets/changes.ts';
import { generateOrderId } from '../orders/generate-ids.ts';
import { returnStock, takeStock } from '../prices/stock.ts';
import { type DueHint, dueHintItem } from '../table/due-hints.ts';
import { basketKey } from '../table/keys.ts';
import { updateOptimistically } from '../table/optimistic-update.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { basketItem, parseBasket } from './row.ts';

export async function readBasket(table: Table, orgId: string, basketId: number): Promise<Basket | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: basketKey(orgId, basketId), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : parseBasket(Item);
}

/** Opens an empty basket, together with the hint by which it is looked at when its time is over. */
export function openBasket(
  table: Table,
  orgId: string,
  nowUnix: number,
  sideEffects: SideEffects<Basket> = noSideEffects,
): Promise<Basket> {
  return updateOptimistically('number of a new basket', async () => {
    const basket = newBasket(generateOrderId(nowUnix), nowUnix);
    const refusals = await transact(
      table,
      [basketPut(table, orgId, undefined, basket), hintPut(table, basketHint(orgId, basket, basket.expiresUnix))],
      sideEffects(basket),
    );
    return refusals.length === 0 ? basket : undefined;
  });
}

/** What asks the sweeper to look at a basket from a second on. */
export function basketHint(orgId: string, { basketId }: Pick<Basket, 'basketId'>, dueUnix: number): DueHint {
  return { kind: 'basket', ref: [orgId, String(basketId)], dueUnix };
}

export interface BasketRule {
  readonly orgId: string;
  readonly basketId: number;
  /** What becomes of the basket, from what it is when it is written. Asked again when somebody else was faster. */
  judge(basket: Basket): Decision | Promise<Decision>;
  /** Seconds from which on the sweeper shall look at it, beside the end of its time. */
  lookAgain?(basket: Basket): readonly number[];
}

export type ChangedBasket =
  | { readonly outcome: 'changed' | 'unchanged'; readonly basket: Basket }
  | { readonly outcome: 'refused'; readonly refusal: BasketRefusal; readonly basket: Basket }
  | { readonly outcome: 'missing' };

/**
 * Changes a basket by a rule. The basket, the stock that it takes or gives back and what goes along are one transaction, on the
 * condition that nobody changed the basket since it was read: whoever comes second judges anew. So stock that is held is in
 * exactly one basket, and given back exactly once.
 */
export function changeBasket(
  table: Table,
  { orgId, basketId, judge, lookAgain = () => [] }: BasketRule,
  sideEffects: SideEffects<Basket> = noSideEffects,
): Promise<ChangedBasket> {
  return updateOptimistically('basket', async (): Promise<ChangedBasket | undefined> => {
    const before = await readBasket(table, orgId, basketId);
    if (before === undefined) return { outcome: 'missing' };
    const decision = await judge(before);
    if (decision.outcome !== 'changed') return decision;
    const basket = { ...decision.basket, version: before.version + 1 };
    const hints = lookAgain(basket).map((dueUnix) => hintPut(table, basketHint(orgId, basket, dueUnix)));
    const refusals = await transact(
      table,
      [basketPut(table, orgId, before, basket), ...stockMoves(table, orgId, decision), ...hints],
      sideEffects(basket),
    );
    if (refusals.length === 0) return { outcome: 'changed', basket };
    // What is not the basket's own condition is that of the stock: there is less than was asked for.
    return refusals.some(({ index }) => index === 0)
      ? undefined
      : { outcome: 'refused', refusal: { reason: 'sold_out' }, basket: before };
  });
}

/** The row as it shall be, if it is still as it was. */
export function basketPut(table: Table, orgId: string, before: Basket | undefined, after: Basket): TransactItem {
  return { Put: { TableName: table.name, Item: basketItem(orgId, after), ...unchangedSince(before) } };
}

function hintPut(table: Table, hint: DueHint): TransactItem {
  return { Put: { TableName: table.name, Item: dueHintItem(hint) } };
}

function stockMoves(
  table: Table,
  orgId: string,
  { take = [], uncount = [] }: Extract<Decision, { outcome: 'changed' }>,
) {
  const item = (write: typeof takeStock) => (move: StockMove) => write(table, orgId, move, move.tickets);
  return [...take.map(item(takeStock)), ...uncount.map(item(returnStock))];
}
