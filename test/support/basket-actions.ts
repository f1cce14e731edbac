import fc from 'fast-check';
import { expect } from 'vitest';
import { changeBasket, openBasket } from '../../shared/data/baskets/baskets.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { cancelBasket, removeFromBasket } from '../../shared/domain/baskets/changes.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import {
  addItem,
  checkOutWith,
  checkoutDepsOf,
  countedFor,
  givenOnSale,
  type OnSale,
  shortTimeout,
  type TestCheckoutDeps,
  ticketsOf,
} from './baskets.ts';

const index = fc.integer({ min: 0, max: 3 });
const card = fc.constantFrom('pm_card_visa', 'pm_card_declined', 'pm_card_timeout', 'pm_card_late');
const action = fc.oneof(
  fc.record({ do: fc.constant('open' as const) }),
  fc.record({ do: fc.constant('add' as const), index, quantity: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('remove' as const), index }),
  fc.record({ do: fc.constant('cancel' as const), index }),
  fc.record({ do: fc.constant('pay' as const), index, card }),
  fc.record({ do: fc.constant('sweep' as const) }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(10, 31, 600) }),
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

/** Rounds of actions. The actions of one round run concurrently. */
export const rounds = fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 8 });

/** All baskets are opened from one client address. */
const openedFrom = { tokenId: 'shop', address: 'somewhere' } as const;

/** Runs the rounds on a few baskets of one price. After each round every ticket is available, held or sold. */
export async function runRounds(
  table: Table,
  orgId: string,
  chosen: readonly (readonly Action[])[],
  givenPrice = (): Promise<OnSale> => givenOnSale(table, orgId, { capacity: 7 }),
): Promise<void> {
  const deps = checkoutDepsOf(table, orgId, shortTimeout);
  const { price } = await givenPrice();
  const baskets = [(await openBasket(table, { ...deps, openedFrom })).basketId];
  for (const round of chosen) {
    await Promise.all(round.map((one) => act(deps, price, baskets, one)));
    const { available, held, sold, capacity } = await ticketsOf(deps, price, baskets);
    expect(available + held + sold, JSON.stringify(round)).toBe(capacity);
    expect(available).toBeGreaterThanOrEqual(0);
    expect(await countedFor(table, orgId, openedFrom), JSON.stringify(round)).toBe(held);
  }
}

async function act(deps: TestCheckoutDeps, price: PriceRecord, baskets: number[], action: Action): Promise<void> {
  const { table, orgId } = deps;
  const basketId = 'index' in action ? (baskets[action.index % baskets.length] ?? 0) : 0;
  const nowUnix = deps.nowUnix;
  switch (action.do) {
    case 'open':
      baskets.push((await openBasket(table, { ...deps, openedFrom })).basketId);
      return;
    case 'add':
      await addItem(deps, basketId, price, action.quantity);
      return;
    case 'remove':
      await changeBasket(table, { orgId, basketId, decide: (each) => removeFromBasket(each, price.priceId, nowUnix) });
      return;
    case 'cancel':
      await changeBasket(table, { orgId, basketId, decide: (each) => cancelBasket(each, nowUnix) });
      return;
    case 'pay':
      await checkOutWith(deps, basketId, { paymentMethod: action.card });
      return;
    case 'sweep':
      await sweepBaskets(deps);
      return;
    case 'wait':
      deps.nowUnix += action.seconds;
  }
}
