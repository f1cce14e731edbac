import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Basket, type BasketHolder, type Checkout, newBasket } from '../../domain/baskets/basket.ts';
import type { BasketRefusal, Decision } from '../../domain/baskets/changes.ts';
import type { StockSlice } from '../../domain/prices/slices.ts';
import { generateOrderId } from '../orders/generate-ids.ts';
import { returnToSlice, slicesWith, takeFromSlices } from '../prices/slices.ts';
import { type DueHint, dueHintItem } from '../table/due-hints.ts';
import { basketKey } from '../table/keys.ts';
import { updateOptimistically } from '../table/optimistic-update.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { holdMoves } from './holds.ts';
import { memberTicketMoves } from './member-tickets.ts';
import { basketItem, parseBasket } from './row.ts';

export async function readBasket(table: Table, orgId: string, basketId: number): Promise<Basket | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: basketKey(orgId, basketId), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : parseBasket(Item);
}

interface NewBasket {
  readonly orgId: string;
  readonly nowUnix: number;
  /** Undefined for a basket of an API key. */
  readonly holder?: BasketHolder | null | undefined;
}

/** Opens an empty basket, and writes the hint by which the sweeper finds it when it expires. */
export function openBasket(
  table: Table,
  { orgId, nowUnix, holder = null }: NewBasket,
  sideEffects: SideEffects<Basket> = noSideEffects,
): Promise<Basket> {
  return updateOptimistically('ids of new baskets', async () => {
    const basket = newBasket(generateOrderId(nowUnix), nowUnix, holder);
    const refusals = await transact(
      table,
      [basketPut(table, orgId, undefined, basket), hintPut(table, basketHint(orgId, basket, basket.expiresUnix))],
      sideEffects(basket),
    );
    return refusals.length === 0 ? basket : undefined;
  });
}

/** The hint that makes the sweeper check a basket from a certain second on. */
export function basketHint(orgId: string, { basketId }: Pick<Basket, 'basketId'>, dueUnix: number): DueHint {
  return { kind: 'basket', ref: [orgId, String(basketId)], dueUnix };
}

export interface BasketRule {
  readonly orgId: string;
  readonly basketId: number;
  /** Decides how the current basket changes. It is called again if the basket was changed concurrently. */
  decide(basket: Basket): Decision | Promise<Decision>;
  /** The seconds at which the sweeper checks the basket, in addition to its expiry. */
  recheckTimes?(basket: Basket): readonly number[];
  /** How many tickets the client address of the basket may hold. Undefined: without a limit. */
  readonly maxHeld?: number | undefined;
}

export type ChangedBasket =
  | { readonly outcome: 'changed' | 'unchanged'; readonly basket: Basket }
  | { readonly outcome: 'refused'; readonly refusal: BasketRefusal; readonly basket: Basket }
  | { readonly outcome: 'missing' };

/**
 * Changes a basket by a rule. One transaction writes the basket, the stock that it takes or returns, and the side effects, on
 * the condition that the basket has not changed since it was read; otherwise the rule decides again. So held stock is in
 * exactly one basket, and is returned exactly once.
 */
export function changeBasket(
  table: Table,
  { orgId, basketId, decide, recheckTimes = () => [], maxHeld }: BasketRule,
  sideEffects: SideEffects<Basket> = noSideEffects,
): Promise<ChangedBasket> {
  // Undefined until a slice has too few tickets. Then the other slices may have them (ADR 42).
  let slices: readonly StockSlice[] | undefined;
  return updateOptimistically('basket', async (): Promise<ChangedBasket | undefined> => {
    const before = await readBasket(table, orgId, basketId);
    if (before === undefined) return { outcome: 'missing' };
    const decision = await decide(before);
    if (decision.outcome !== 'changed') return decision;
    const basket = { ...decision.basket, version: before.version + 1 };
    const hints = recheckTimes(basket).map((dueUnix) =>
      hintPut(table, basketHint(orgId, basket, dueUnix), basket.checkout),
    );
    const holds = holdMoves(table, { orgId, before, after: basket, maxHeld });
    const members = memberTicketMoves(table, {
      orgId,
      eventId: before.eventId,
      before: before.reservation,
      after: basket.reservation,
    });
    const { take, restock = [] } = decision;
    const put = basketPut(table, orgId, before, basket);
    const refusals = await transact(
      table,
      () => {
        const taken = take === undefined ? [] : takeFromSlices(table, orgId, take, slices);
        return [
          put,
          ...members,
          ...holds,
          ...taken,
          ...restock.map((move) => returnToSlice(table, orgId, move)),
          ...hints,
        ];
      },
      sideEffects(basket),
    );
    if (refusals.length === 0) return { outcome: 'changed', basket };
    // Another process changed the basket, or another checkout of the members came first: the rule decides again.
    if (refusals.some(({ index }) => index <= members.length)) return undefined;
    const isHoldRefused = refusals.some(({ index }) => index <= members.length + holds.length);
    if (isHoldRefused) return { outcome: 'refused', refusal: { reason: 'too_many_held', maxHeld }, basket: before };
    // All other conditions held, so that of the stock failed: one slice has fewer tickets than requested.
    slices = take && take.slices > 1 ? await slicesWith(table, orgId, take, take.tickets) : undefined;
    if (slices !== undefined) return undefined;
    return { outcome: 'refused', refusal: { reason: 'sold_out' }, basket: before };
  });
}

/** Writes the basket if it has not changed since it was read. */
export function basketPut(table: Table, orgId: string, before: Basket | undefined, after: Basket): TransactItem {
  return { Put: { TableName: table.name, Item: basketItem(orgId, after), ...unchangedSince(before) } };
}

/** The condition that the basket has not changed since it was read. */
export function basketCheck(table: Table, orgId: string, before: Basket): TransactItem {
  const key = basketKey(orgId, before.basketId);
  return { ConditionCheck: { TableName: table.name, Key: key, ...unchangedSince(before) } };
}

/** The hint of a checkout contains its request, for the log of a sweep that cannot read the basket. */
function hintPut(table: Table, hint: DueHint, checkout: Checkout | null = null): TransactItem {
  return { Put: { TableName: table.name, Item: dueHintItem(hint, { requestId: checkout?.requestId ?? undefined }) } };
}
