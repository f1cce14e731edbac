import { beforeAll, describe, expect, it } from 'vitest';
import { auditStock } from '../../../shared/data/audit/stock.ts';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOffer } from '../../../shared/data/prices/offer.ts';
import { type PriceDraft, savePrice } from '../../../shared/data/prices/save-price.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { addToBasket } from '../../../shared/domain/baskets/changes.ts';
import type { PoolRecord } from '../../../shared/domain/prices/pool.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenPool } from '../../../tools/fixtures/events.ts';
import { givenBasket, givenTerrace, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const isSound = async ({ orgId }: TestCheckoutDeps, { eventId }: PoolRecord) =>
  expect(await auditStock(table, { orgId, eventId })).toEqual([]);

/** What was saved, without what the service adds. */
function draftOf({ index: _, priceId: __, version: ___, stockSlices: ____, ...saved }: PriceRecord) {
  const { ownStock: _____, stockVersion: ______, ...fields } = saved;
  return { ...fields, currency: 'AUD' };
}

describe('changing the stocks of a price', () => {
  type Stocks = Pick<PriceDraft, 'poolIndex' | 'capacity'>;

  it('a price moves between its own stock and pools while none of its tickets is held or sold', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const { pool, adult, junior } = await givenTerrace(table, orgId, { capacity: 230 });
    const lawn = await givenPool(table, orgId, { eventId: pool.eventId, capacity: 400 });
    const ways: readonly Stocks[] = [
      { poolIndex: null, capacity: 250 },
      { poolIndex: lawn.index, capacity: 100 },
      { poolIndex: pool.index, capacity: 300 },
      { poolIndex: pool.index, capacity: null },
      { poolIndex: lawn.index, capacity: null },
      { poolIndex: lawn.index, capacity: 30 },
      { poolIndex: null, capacity: 20 },
      { poolIndex: lawn.index, capacity: null },
      { poolIndex: pool.index, capacity: null },
    ];
    for (const stocks of ways) {
      const draft = { ...draftOf(junior), ...stocks };
      expect(await savePrice(table, orgId, draft)).toMatchObject({ outcome: 'updated' });
      expect(await savePrice(table, orgId, draft)).toMatchObject({ outcome: 'unchanged' });
      const own = (await readStock(table, orgId, pool.eventId)).get(junior.index);
      expect(own?.capacity ?? null).toBe(stocks.capacity);
      const { basketId } = await givenBasket(deps, junior, 4);
      await givenBasket(deps, adult);
      await isSound(deps, pool);
      const back = { ...draftOf(junior), poolIndex: stocks.poolIndex === null ? pool.index : null, capacity: 50 };
      expect(await savePrice(table, orgId, back)).toMatchObject({ outcome: 'stocks_taken' });
      deps.nowUnix += basketSeconds;
      await sweepBaskets(deps);
      expect(basketId).toBeGreaterThan(0);
      await isSound(deps, pool);
    }
  });

  it('a price with its own stock can join a pool that sells already, and one without cannot leave it', async () => {
    const deps = newCheckoutDeps(table);
    const { pool, adult, junior } = await givenTerrace(table, deps.orgId, { capacity: 50, juniors: 20 });
    await givenBasket(deps, adult, 2);
    const save = (price: PriceRecord, stocks: Stocks) => savePrice(table, deps.orgId, { ...draftOf(price), ...stocks });
    expect(await save(adult, { poolIndex: null, capacity: 10 })).toEqual({ outcome: 'stocks_taken', taken: 2 });
    expect(await save(junior, { poolIndex: null, capacity: 10 })).toMatchObject({ outcome: 'updated' });
    expect(await save(junior, { poolIndex: pool.index, capacity: null })).toMatchObject({ outcome: 'updated' });
    await isSound(deps, pool);
  });

  it('somebody who has read the price before the change takes from its new stocks', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId, nowUnix } = deps;
    const { pool, junior } = await givenTerrace(table, orgId, { capacity: 50 });
    const ways: readonly Stocks[] = [
      { poolIndex: pool.index, capacity: 40 },
      { poolIndex: null, capacity: 30 },
      { poolIndex: pool.index, capacity: null },
      { poolIndex: null, capacity: 30 },
    ];
    for (const stocks of ways) {
      const offers = [await readOffer(table, orgId, junior.priceId)];
      await savePrice(table, orgId, { ...draftOf(junior), ...stocks });
      offers.push(await readOffer(table, orgId, junior.priceId));
      const { basketId } = await openBasket(table, deps);
      const held = await changeBasket(table, {
        orgId,
        basketId,
        decide: (basket) => {
          const offer = offers.shift();
          if (offer === undefined) throw new Error('The second attempt must succeed.');
          return addToBasket(basket, offer, { quantity: 5 }, nowUnix);
        },
      });
      expect(held.outcome).toBe('changed');
      expect(offers).toEqual([]);
      await isSound(deps, pool);
      deps.nowUnix += basketSeconds;
      await sweepBaskets(deps);
      await isSound(deps, pool);
    }
  });

  it('buyers and a change of the stocks at the same time leave every stock sound', async () => {
    for (let round = 0; round < 3; round += 1) {
      const deps = newCheckoutDeps(table);
      const { pool, junior } = await givenTerrace(table, deps.orgId, { capacity: 230 });
      const leave = () => savePrice(table, deps.orgId, { ...draftOf(junior), poolIndex: null, capacity: 210 });
      const [saved] = await Promise.all([leave(), ...Array.from({ length: 5 }, () => givenBasket(deps, junior, 2))]);
      expect(['updated', 'stocks_taken']).toContain(saved.outcome);
      await isSound(deps, pool);
    }
  });
});
