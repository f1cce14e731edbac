import { beforeAll, describe, expect, it } from 'vitest';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { cancelBasket, removeFromBasket } from '../../../shared/domain/baskets/changes.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import {
  ada,
  addItem,
  checkOutWith,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  statusOf,
  ticketsOf,
} from '../../support/baskets.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('stock held by baskets', () => {
  it('an expired basket returns its stock exactly once, however many callers find it at the same time', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId);
    const expiring = await givenBasket(deps, price, 3);
    const cancelled = await givenBasket(deps, price, 4);
    const removed = await givenBasket(deps, price, 5);
    const change = (basketId: number, decide: Parameters<typeof changeBasket>[1]['decide']) =>
      changeBasket(table, { orgId: deps.orgId, basketId, decide });
    await Promise.all(
      Array.from({ length: 4 }, () => [
        change(cancelled.basketId, (basket) => cancelBasket(basket, deps.nowUnix)),
        change(removed.basketId, (basket) => removeFromBasket(basket, price.priceId, deps.nowUnix)),
      ]).flat(),
    );
    expect(await ticketsOf(deps, price, [expiring.basketId])).toMatchObject({ available: 97, held: 3 });
    deps.nowUnix += basketSeconds;
    await Promise.all(Array.from({ length: 4 }, () => sweepBaskets(deps)));
    expect(await ticketsOf(deps, price, [expiring.basketId])).toMatchObject({ available: 100, held: 0 });
    expect(await statusOf(deps, expiring.basketId)).toBe('expired');
    expect(await statusOf(deps, cancelled.basketId)).toBe('cancelled');
    expect(await sweepBaskets(deps)).toEqual({ done: 0, failed: 0 });
  });

  it('baskets never oversell: thirty buyers for eight seats', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId, { capacity: 8 });
    const buy = async (index: number) => {
      const { basketId } = await openBasket(table, deps);
      const added = await addItem(deps, basketId, price);
      if (added.outcome === 'refused') return added.refusal.reason;
      const buyer = { ...ada, emailAddress: `buyer${index}@example.com` };
      return (await checkOutWith(deps, basketId, { buyer })).outcome;
    };
    const results = await Promise.all(Array.from({ length: 30 }, (_, index) => buy(index)));
    expect(results.filter((result) => result === 'confirmed')).toHaveLength(8);
    expect(results.filter((result) => result === 'sold_out')).toHaveLength(22);
    expect(await ticketsOf(deps, price, [])).toEqual({ available: 0, held: 0, sold: 8, capacity: 8 });
  });
});
