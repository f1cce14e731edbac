import { expect } from 'vitest';
import type { Table } from '../../shared/data/table/table.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import {
  completedEvents,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  paidCharges,
  statusOf,
  type TestCheckoutDeps,
  ticketsOf,
} from './baskets.ts';

/** A basket with two of five tickets, of a new organisation. */
export async function givenFilledBasket(table: Table) {
  const deps = newCheckoutDeps(table);
  const { price } = await givenOnSale(table, deps.orgId, { capacity: 5 });
  const { basketId } = await givenBasket(deps, price, 2);
  return { deps, price, basketId };
}

/** Exactly one order with its charge, and every ticket accounted for. */
export async function expectOneOrder(deps: TestCheckoutDeps, price: PriceRecord, basketId: number) {
  expect(await statusOf(deps, basketId)).toBe('checked_out');
  expect(await paidCharges(deps)).toMatchObject([{ refundedMinor: 0 }]);
  expect(await completedEvents(deps)).toHaveLength(1);
  expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 3, held: 0, sold: 2 });
}

/** Nothing paid, nothing sold, and all tickets can be bought again. */
export async function expectNothing(deps: TestCheckoutDeps, price: PriceRecord, basketId: number) {
  expect(await paidCharges(deps)).toEqual([]);
  expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 5, held: 0, sold: 0 });
}
