import { beforeAll, describe, expect, it } from 'vitest';
import { auditStock } from '../../../shared/data/audit/stock.ts';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { updateSoldOut } from '../../../shared/data/events/sold-out.ts';
import { readOffer } from '../../../shared/data/prices/offer.ts';
import { readPriceList } from '../../../shared/data/prices/read.ts';
import { type PoolDraft, savePool } from '../../../shared/data/prices/save-pool.ts';
import { type PriceDraft, savePrice } from '../../../shared/data/prices/save-price.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { addToBasket, removeFromBasket } from '../../../shared/domain/baskets/changes.ts';
import { typeStockIndex } from '../../../shared/domain/baskets/stock-moves.ts';
import type { PoolRecord } from '../../../shared/domain/prices/pool.ts';
import { availableOf, hasFewLeft, isSoldOut } from '../../../shared/domain/prices/pool.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { givenEvent, givenPool, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import {
  addItem,
  checkOutWith,
  givenBasket,
  givenTerrace,
  newCheckoutDeps,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { RoundTable } from '../../support/cost/round-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const availableIn = async ({ orgId }: TestCheckoutDeps, { eventId, index }: PoolRecord | PriceRecord) =>
  (await readStock(table, orgId, eventId)).get(index)?.avail;

const isSound = async ({ orgId }: TestCheckoutDeps, { eventId }: PoolRecord) =>
  expect(await auditStock(table, { orgId, eventId })).toEqual([]);

/** What was saved, without what the service adds. */
function draftOf({ index: _, priceId: __, version: ___, stockSlices: ____, ...saved }: PriceRecord) {
  const { ownStock: _____, stockVersion: ______, ...fields } = saved;
  return { ...fields, currency: 'AUD' };
}

describe('holds on a pool', () => {
  it.each([
    ['one slice', 30],
    ['several slices', 210],
  ])('buyers of two prices of one pool never oversell it, and sell all of its places: %s', async (_name, capacity) => {
    const deps = newCheckoutDeps(table);
    const { pool, adult, junior } = await givenTerrace(table, deps.orgId, { capacity });
    const hold = async (price: PriceRecord, quantity: number): Promise<string> => {
      const { basketId } = await openBasket(table, deps);
      const added = await addItem(deps, basketId, price, quantity);
      return added.outcome === 'refused' ? added.refusal.reason : added.outcome;
    };
    // Together they want more than there is: first groups that have to fit, then one by one.
    const groups = Array.from({ length: capacity / 10 }, (_, buyer) => hold(buyer % 2 === 0 ? adult : junior, 11));
    expect(new Set(await Promise.all(groups))).toEqual(new Set(['changed', 'sold_out']));
    const singles = Array.from({ length: 25 }, (_, buyer) => hold(buyer % 2 === 0 ? junior : adult, 1));
    expect(new Set(await Promise.all(singles))).toEqual(new Set(['changed', 'sold_out']));
    expect(await availableIn(deps, pool)).toBe(0);
    await isSound(deps, pool);
  });

  it('what a basket held of a pool comes back once, whether it is removed, expires or is refunded', async () => {
    const deps = newCheckoutDeps(table);
    const { pool, adult, junior } = await givenTerrace(table, deps.orgId, { capacity: 100, juniors: 20 });
    const removed = await givenBasket(deps, adult, 3);
    const expiring = await givenBasket(deps, junior, 5);
    await addItem(deps, expiring.basketId, adult, 2);
    const bought = await givenBasket(deps, junior, 4);
    expect(await availableIn(deps, pool)).toBe(86);
    expect(await availableIn(deps, junior)).toBe(11);
    await isSound(deps, pool);
    await changeBasket(table, {
      orgId: deps.orgId,
      basketId: removed.basketId,
      decide: (basket) => removeFromBasket(basket, adult.priceId, deps.nowUnix),
    });
    expect(await availableIn(deps, pool)).toBe(89);
    expect((await checkOutWith(deps, bought.basketId)).outcome).toBe('confirmed');
    deps.nowUnix += basketSeconds;
    await Promise.all([sweepBaskets(deps), sweepBaskets(deps)]);
    expect(await availableIn(deps, pool)).toBe(96);
    expect(await availableIn(deps, junior)).toBe(16);
    await isSound(deps, pool);
    const refund = { orderId: bought.basketId, tickets: [bought.basketId + 1], reason: null };
    expect(await requestRefund(deps, refund, () => [])).toMatchObject({ outcome: 'recorded' });
    deps.nowUnix += 600;
    await sweepBaskets(deps);
    expect(await availableIn(deps, pool)).toBe(97);
    expect(await availableIn(deps, junior)).toBe(17);
    await isSound(deps, pool);
  });

  it('a hold on a price of a pool costs what a hold on a price with its own stock costs', async () => {
    // DynamoDB Local counts transactions wrongly.
    const rounds = new RoundTable();
    const deps = newCheckoutDeps(rounds.table);
    const { adult, junior } = await givenTerrace(rounds.table, deps.orgId, { capacity: 300, juniors: 20 });
    const { eventId, categoryId } = adult;
    const own = await givenPrice(rounds.table, deps.orgId, { eventId, categoryId, capacity: 300 });
    const costOf = async (price: PriceRecord) => {
      const { basketId } = await openBasket(rounds.table, deps);
      return rounds.measure(() => addItem(deps, basketId, price, 2));
    };
    const withOwnStock = await costOf(own);
    expect(await costOf(adult)).toEqual(withOwnStock);
    // A maximum of its own is one stock item more.
    expect(await costOf(junior)).toEqual({ ...withOwnStock, writeUnits: withOwnStock.writeUnits + 2 });
  });

  it('a price inside a pool is sold out when its own capacity or the pool is exhausted', async () => {
    const deps = newCheckoutDeps(table);
    const { pool, adult, junior } = await givenTerrace(table, deps.orgId, { capacity: 12, juniors: 10 });
    const { eventId } = pool;
    const seen = async (price: PriceRecord) => {
      const stocks = await readStock(table, deps.orgId, eventId);
      return [availableOf(price, stocks), isSoldOut(price, stocks), hasFewLeft(price, stocks)];
    };
    const isEventSoldOut = async () => {
      await updateSoldOut(table, deps.orgId, eventId);
      return (await readEvent(table, deps.orgId, eventId, { consistent: true }))?.soldOut;
    };
    expect([await seen(adult), await seen(junior)]).toEqual([
      [12, false, false],
      [10, false, false],
    ]);
    await givenBasket(deps, junior, 10);
    expect([await seen(adult), await seen(junior)]).toEqual([
      [2, false, true],
      [0, true, true],
    ]);
    expect(await isEventSoldOut()).toBe(false);
    const { basketId } = await openBasket(table, deps);
    expect(await addItem(deps, basketId, junior)).toMatchObject({ refusal: { reason: 'sold_out' } });
    expect(await availableIn(deps, pool)).toBe(2);
    expect(await addItem(deps, basketId, adult, 2)).toMatchObject({ outcome: 'changed' });
    expect(await seen(adult)).toEqual([0, true, true]);
    expect(await isEventSoldOut()).toBe(true);
    await isSound(deps, pool);
  });

  it('the audit finds a pool that does not add up', async () => {
    const deps = newCheckoutDeps(table);
    const { pool, adult } = await givenTerrace(table, deps.orgId, { capacity: 50 });
    await givenBasket(deps, adult, 2);
    await isSound(deps, pool);
    const { eventId } = pool;
    const basket = await openBasket(table, deps);
    await changeBasket(table, {
      orgId: deps.orgId,
      basketId: basket.basketId,
      decide: async (empty) => {
        const offer = await readOffer(table, deps.orgId, adult.priceId);
        const decision = offer && addToBasket(empty, offer, { quantity: 3 }, deps.nowUnix);
        if (decision?.outcome !== 'changed') throw new Error('The price must be on sale.');
        return { outcome: 'changed', basket: decision.basket };
      },
    });
    expect(await auditStock(table, { orgId: deps.orgId, eventId })).toMatchObject([
      { check: 'stock', problem: '3 more tickets are available, held and sold than the capacity allows.' },
    ]);
  });
});

describe('saving pools', () => {
  it('pools count down from the last number of their event, and are never two of one code', async () => {
    const orgId = 'org_pool_numbers';
    const { eventId } = await givenEvent(table, orgId);
    const draft: PoolDraft = { eventId, code: 'terrace', title: 'Terrace', capacity: 500 };
    const saved = await Promise.all(
      ['terrace', 'terrace', 'lawn', 'terrace'].map((code) => savePool(table, orgId, { ...draft, code })),
    );
    expect(saved.map(({ outcome }) => outcome).toSorted()).toEqual(['created', 'created', 'unchanged', 'unchanged']);
    const { pools } = await readPriceList(table, orgId, eventId, { consistent: true });
    expect([...pools.keys()].toSorted()).toEqual([510, 511]);
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    expect(await givenPrice(table, orgId, { eventId, categoryId, poolIndex: 511, capacity: null })).toMatchObject({
      index: 1,
      poolIndex: 511,
      ownStock: false,
    });
    expect([...(await readStock(table, orgId, eventId)).keys()].toSorted()).toEqual([510, 511]);
    // The stocks of membership types and of codes have the number before the first price.
    expect(typeStockIndex).toBe(0);
  });

  it('the capacity of a pool cannot go below what is taken', async () => {
    const deps = newCheckoutDeps(table);
    const { pool, adult, junior } = await givenTerrace(table, deps.orgId, { capacity: 300 });
    await givenBasket(deps, adult, 7);
    await givenBasket(deps, junior, 8);
    const save = (capacity: number) =>
      savePool(table, deps.orgId, { eventId: pool.eventId, code: pool.code, title: pool.title, capacity });
    expect(await save(14)).toEqual({ outcome: 'capacity_taken', taken: 15 });
    expect(await save(15)).toMatchObject({ outcome: 'updated' });
    expect(await availableIn(deps, pool)).toBe(0);
    expect(await save(900)).toMatchObject({ outcome: 'updated', pool: { stockSlices: 8 } });
    expect(await save(900)).toMatchObject({ outcome: 'unchanged' });
    await isSound(deps, pool);
  });

  it('a price needs a pool of its own event, or a capacity', async () => {
    const orgId = 'org_pool_of_another';
    const { eventId } = await givenEvent(table, orgId);
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    const price = await givenPrice(table, orgId, { eventId, categoryId });
    const other = await givenPool(table, orgId, { eventId: (await givenEvent(table, orgId)).eventId });
    const save = (changes: Partial<PriceDraft>) =>
      savePrice(table, orgId, { ...draftOf(price), capacity: 100, ...changes });
    expect(await save({ poolIndex: other.index })).toEqual({ outcome: 'pool_missing' });
    expect(await save({ capacity: null })).toEqual({ outcome: 'capacity_missing' });
    expect(await save({})).toMatchObject({ outcome: 'unchanged' });
  });
});
