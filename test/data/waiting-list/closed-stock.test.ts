import { beforeAll, describe, expect, it } from 'vitest';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { givenBasket, givenSlicedOnSale, givenTerrace, newCheckoutDeps } from '../../support/baskets.ts';
import { RoundTable } from '../../support/cost/round-table.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { audited, type Deps, join, leave, leftOf, serve, snatch, statuses } from '../../support/waiting-list.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

const cancel = ({ table: own, orgId, nowUnix }: Deps, basketId: number) =>
  changeBasket(own, { orgId, basketId, decide: (basket) => cancelBasket(basket, nowUnix) });

describe('a waiting list closes what has too few, and nothing else', () => {
  it('an exhausted pool is closed for all its prices, and serves both in the order of joining', async () => {
    const deps = newCheckoutDeps(table);
    const { pool, adult, junior } = await givenTerrace(table, deps.orgId, { capacity: 4 });
    const { basketId: first } = await givenBasket(deps, adult, 2);
    await givenBasket(deps, junior, 2);
    await join(deps, junior, 'ada');
    await join(deps, adult, 'bob');
    await join(deps, junior, 'cleo');
    const { basketId } = await openBasket(table, deps);
    for (const price of [adult, junior]) expect(await snatch(deps, price, basketId)).toBe('waited_for');
    await cancel(deps, first);
    await serve(deps, pool);
    expect(await statuses(deps, pool)).toEqual(['ada offered', 'bob offered', 'cleo waiting']);
    expect(await leftOf(deps, pool)).toEqual({ avail: 0, capacity: 4, closed: true });
    expect(await audited(deps, pool)).toEqual([]);
  });

  it('a price that has reached its maximum is closed, and its pool stays open for the others', async () => {
    const deps = newCheckoutDeps(table);
    const { pool, adult, junior } = await givenTerrace(table, deps.orgId, { capacity: 4, juniors: 1 });
    const { basketId: ofJunior } = await givenBasket(deps, junior);
    await join(deps, junior, 'ada');
    expect([await leftOf(deps, pool), await leftOf(deps, junior)]).toEqual([
      { avail: 3, capacity: 4 },
      { avail: 0, capacity: 1, closed: true },
    ]);
    // The pool runs out too: whatever comes back to it must not be taken from those who wait.
    const { basketId: ofAdult } = await givenBasket(deps, adult, 3);
    await serve(deps, pool);
    expect(await leftOf(deps, pool)).toEqual({ avail: 0, capacity: 4, closed: true });
    // Not enough for anybody who waits, so it is for everyone.
    await cancel(deps, ofAdult);
    await serve(deps, pool);
    expect(await leftOf(deps, pool)).toEqual({ avail: 3, capacity: 4 });
    await cancel(deps, ofJunior);
    await serve(deps, pool);
    expect(await statuses(deps, pool)).toEqual(['ada offered']);
    expect([await leftOf(deps, pool), await leftOf(deps, junior)]).toEqual([
      { avail: 3, capacity: 4 },
      { avail: 0, capacity: 1 },
    ]);
    expect(await audited(deps, pool)).toEqual([]);
  });

  it('all slices of a stock are closed and opened together', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenSlicedOnSale(table, deps.orgId, 6);
    const baskets = [await givenBasket(deps, price, 3), await givenBasket(deps, price, 3)];
    const ada = await join(deps, price, 'ada', { quantity: 6 });
    for (const { basketId } of baskets) await cancel(deps, basketId);
    const { basketId } = await openBasket(table, deps);
    for (let attempt = 0; attempt < 9; attempt += 1) expect(await snatch(deps, price, basketId)).toBe('waited_for');
    expect(await audited(deps, price)).toEqual([]);
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['ada offered']);
    await leave(deps, ada);
    await serve(deps, price);
    expect(await leftOf(deps, price)).toEqual({ avail: 6, capacity: 6 });
    for (let attempt = 0; attempt < 6; attempt += 1) expect(await snatch(deps, price, basketId)).toBe('changed');
  });
});

describe('the cost of a waiting list', () => {
  it('nothing for a hold on stock that nobody waits for; joining and an offer are one transaction each', async () => {
    const rounds = new RoundTable();
    const deps = newCheckoutDeps(rounds.table);
    const { price } = await givenSlicedOnSale(rounds.table, deps.orgId, 3);
    const { basketId } = await openBasket(rounds.table, deps);
    const held = await rounds.measure(() => snatch(deps, price, basketId));
    await givenBasket(deps, price, 2);
    await join(deps, price, 'ada');
    await join(deps, price, 'bob');
    const joined = await rounds.measure(() => join(deps, price, 'cleo'));
    await cancel(deps, basketId);
    const offered = await rounds.measure(() => serve(deps, price));
    expect({ held, joined, offered }).toEqual({
      held: { depth: 3, writeUnits: 4 },
      joined: { depth: 5, writeUnits: 12 },
      // It reads again what is left after the offer.
      offered: { depth: 13, writeUnits: 20 },
    });
  });
});
