import { beforeAll, expect, it } from 'vitest';
import { sweepBaskets } from '../../shared/checkout/sweep-baskets.ts';
import { changeBasket, openBasket } from '../../shared/data/baskets/baskets.ts';
import { savePrice } from '../../shared/data/prices/save-price.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { holdSeconds } from '../../shared/domain/baskets/basket.ts';
import { removeFromBasket } from '../../shared/domain/baskets/changes.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import {
  addItem,
  givenBasket,
  givenSlicedOnSale,
  newCheckoutDeps,
  type TestCheckoutDeps,
  ticketsOf,
} from '../support/baskets.ts';
import { crashingTable } from '../support/faults/faulty-table.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

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
      deps.nowUnix += holdSeconds;
      await sweepBaskets(deps);
      expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: counted.capacity, held: 0 });
    }
    expect(at).toBeGreaterThan(2);
  },
);
