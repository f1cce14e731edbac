import { beforeAll, expect, it } from 'vitest';
import { auditStock } from '../../shared/data/audit/stock.ts';
import { changeBasket, openBasket } from '../../shared/data/baskets/baskets.ts';
import { savePool } from '../../shared/data/prices/save-pool.ts';
import { savePrice } from '../../shared/data/prices/save-price.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { basketSeconds } from '../../shared/domain/baskets/basket.ts';
import { removeFromBasket } from '../../shared/domain/baskets/changes.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import { givenPrice } from '../../tools/fixtures/events.ts';
import {
  addItem,
  givenBasket,
  givenSlicedOnSale,
  givenTerrace,
  newCheckoutDeps,
  type Terrace as SharedTerrace,
  type TestCheckoutDeps,
  ticketsOf,
} from '../support/baskets.ts';
import { crashingTable } from '../support/faults/faulty-table.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

interface Terrace extends SharedTerrace {
  /** A price in the pool with a capacity of its own. None of its tickets are held. */
  readonly lone: PriceRecord;
}

/** A pool of ten places in three slices: it had more before. */
async function givenSharedTerrace(orgId: string): Promise<Terrace> {
  const terrace = await givenTerrace(table, orgId, { capacity: 300, juniors: 5 });
  const { pool, event, adult } = terrace;
  const { eventId, code, title } = pool;
  for (const capacity of [0, 10]) await savePool(table, orgId, { eventId, code, title, capacity });
  const { categoryId } = adult;
  const lone = await givenPrice(table, orgId, {
    eventId: event.eventId,
    categoryId,
    poolIndex: pool.index,
    capacity: 3,
  });
  return { ...terrace, lone };
}

type Work = (deps: TestCheckoutDeps, price: PriceRecord, basketId: number) => Promise<unknown>;

/** Each of them changes several slices, or one of several. */
const works: readonly (readonly [string, Work])[] = [
  ['adding tickets from several slices', (deps, price, basketId) => addItem(deps, basketId, price, 5)],
  ['adding more tickets than are left', (deps, price, basketId) => addItem(deps, basketId, price, 9)],
  [
    'removing an item',
    ({ table: own, orgId, nowUnix }, { priceId }, basketId) =>
      changeBasket(own, { orgId, basketId, decide: (basket) => removeFromBasket(basket, priceId, nowUnix) }),
  ],
  [
    'lowering the capacity',
    ({ table: own, orgId }, { index: _, priceId: __, version: ___, stockSlices: ____, ...fields }) =>
      savePrice(own, orgId, { ...fields, currency: 'AUD', capacity: 8 }),
  ],
];

/** Both prices of a pool are in the basket, and one has a capacity of its own. */
const poolWorks: readonly (readonly [
  string,
  (deps: TestCheckoutDeps, terrace: Terrace, basketId: number) => Promise<unknown>,
])[] = [
  ['adding tickets of a pool', (deps, { junior }, basketId) => addItem(deps, basketId, junior, 3)],
  ['adding more tickets than the pool has left', (deps, { adult }, basketId) => addItem(deps, basketId, adult, 9)],
  [
    'removing a price of a pool',
    ({ table: own, orgId, nowUnix }, { junior: { priceId } }, basketId) =>
      changeBasket(own, { orgId, basketId, decide: (basket) => removeFromBasket(basket, priceId, nowUnix) }),
  ],
  [
    'lowering the capacity of a pool',
    ({ table: own, orgId }, { pool: { eventId, code, title } }) =>
      savePool(own, orgId, { eventId, code, title, capacity: 8 }),
  ],
  [
    'taking a price out of its pool',
    ({ table: own, orgId }, { lone: { index: _, priceId: __, version: ___, stockSlices: ____, ...fields } }) =>
      savePrice(own, orgId, { ...fields, currency: 'AUD', poolIndex: null, capacity: 4 }),
  ],
];

it.each(poolWorks.flatMap(([what, work]) => (['before', 'after'] as const).map((when) => [what, when, work] as const)))(
  '%s, with a crash %s any of its calls, loses no place of the pool, and returns all of them when the basket expires',
  async (_what, when, work) => {
    let at = 0;
    for (let hasCrashed = true; hasCrashed; ) {
      at += 1;
      const deps = newCheckoutDeps(table);
      const terrace = await givenSharedTerrace(deps.orgId);
      const { basketId } = await givenBasket(deps, terrace.junior, 2);
      await addItem(deps, basketId, terrace.adult, 1);
      const crashing = crashingTable(table, at, when);
      await work({ ...deps, table: crashing.table }, terrace, basketId).catch(() => {});
      hasCrashed = crashing.hasCrashed();
      const event = { orgId: deps.orgId, eventId: terrace.event.eventId };
      expect(await auditStock(table, event)).toEqual([]);
      deps.nowUnix += basketSeconds;
      await sweepBaskets(deps);
      expect(await auditStock(table, event)).toEqual([]);
      const { available, capacity, held } = await ticketsOf(deps, terrace.pool, [basketId]);
      expect([available, held]).toEqual([capacity, 0]);
    }
    expect(at).toBeGreaterThan(2);
  },
);

it.each(works.flatMap(([what, work]) => (['before', 'after'] as const).map((when) => [what, when, work] as const)))(
  '%s, with a crash %s any of its calls, loses no ticket and returns all of them when the basket expires',
  async (_what, when, work) => {
    let at = 0;
    for (let hasCrashed = true; hasCrashed; ) {
      at += 1;
      const deps = newCheckoutDeps(table);
      const { price } = await givenSlicedOnSale(table, deps.orgId, 10);
      const { basketId } = await givenBasket(deps, price, 2);
      const empty = await openBasket(table, deps);
      const crashing = crashingTable(table, at, when);
      await work({ ...deps, table: crashing.table }, price, basketId).catch(() => {});
      hasCrashed = crashing.hasCrashed();
      const counted = await ticketsOf(deps, price, [basketId, empty.basketId]);
      // Taking tickets and holding them is one write, so none is in between.
      expect(counted.available + counted.held).toBe(counted.capacity);
      deps.nowUnix += basketSeconds;
      await sweepBaskets(deps);
      expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: counted.capacity, held: 0 });
    }
    expect(at).toBeGreaterThan(2);
  },
);
