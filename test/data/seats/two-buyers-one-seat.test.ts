import { beforeAll, expect, it } from 'vitest';
import { openBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { addItem, givenTerrace, newCheckoutDeps, type TestCheckoutDeps, ticketsOf } from '../../support/baskets.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { addSeatsTo, givenSeatedEvent, rowsNow } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** The table for two buyers of the same moment: neither writes before both have read and decided. */
function meetingTable(): Table {
  const both = Promise.withResolvers<void>();
  return faultyTable(table, async (send, attempt) => {
    if (attempt === 2) both.resolve();
    if (attempt <= 2) await both.promise;
    return send();
  });
}

type Buyer = (deps: TestCheckoutDeps, basketId: number) => ReturnType<typeof addItem>;

/** What each of the two buyers is told, and the lines of their baskets afterwards. */
async function atTheSameMoment(deps: TestCheckoutDeps, buyers: readonly [Buyer, Buyer]) {
  const meeting = { ...deps, table: meetingTable() };
  const baskets = await Promise.all(buyers.map(() => openBasket(table, deps)));
  const told = await Promise.all(buyers.map((buy, index) => buy(meeting, baskets[index]?.basketId ?? 0)));
  const lines = await Promise.all(
    baskets.map(async ({ basketId }) => (await readBasket(table, deps.orgId, basketId))?.lines ?? []),
  );
  return {
    basketIds: baskets.map(({ basketId }) => basketId),
    told: told.map((one) => (one.outcome === 'refused' ? one.refusal.reason : one.outcome)),
    lines: lines.flat(),
  };
}

it.each([
  ['may leave a single seat', true],
  ['may leave no single seat', false],
])(
  'two buyers who take one seat at the same moment: one gets it, the other is told that it is taken (a buyer %s)',
  async (_, allowSingleSeats) => {
    const deps = newCheckoutDeps(table);
    const map = aSeatMap([{ row: 'A', seats: '1-4' }]);
    const { event, price } = await givenSeatedEvent(table, deps.orgId, { map, allowSingleSeats });
    const take: Buyer = (own, basketId) => addSeatsTo(own, basketId, price, ['Stalls/A/1']);
    const { told, lines } = await atTheSameMoment(deps, [take, take]);
    expect(told.toSorted()).toEqual(['changed', 'seat_taken']);
    expect(lines.flatMap(({ seats }) => seats)).toEqual(['Stalls/A/1']);
    expect(await rowsNow(table, deps.orgId, event.eventId, map)).toEqual(['x...']);
  },
);

it('two buyers who ask for the best seats at the same moment: each gets a pair of their own', async () => {
  const deps = newCheckoutDeps(table);
  const map = aSeatMap([{ row: 'A', seats: '1-4' }]);
  const { price } = await givenSeatedEvent(table, deps.orgId, { map });
  const take: Buyer = (own, basketId) => addSeatsTo(own, basketId, price, 2);
  const { told, lines } = await atTheSameMoment(deps, [take, take]);
  expect(told).toEqual(['changed', 'changed']);
  expect(lines.flatMap(({ seats }) => seats).toSorted()).toEqual([1, 2, 3, 4].map((seat) => `Stalls/A/${seat}`));
});

it('two buyers who ask for the last pair at the same moment: one gets it, the other is told that none is left', async () => {
  const deps = newCheckoutDeps(table);
  const { price } = await givenSeatedEvent(table, deps.orgId, { map: aSeatMap([{ row: 'A', seats: '1-2' }]) });
  const take: Buyer = (own, basketId) => addSeatsTo(own, basketId, price, 2);
  const { told, lines } = await atTheSameMoment(deps, [take, take]);
  expect(told.toSorted()).toEqual(['changed', 'sold_out']);
  expect(lines).toHaveLength(1);
});

it('two buyers who take the last ticket of a pool at the same moment, each at another price: one gets it, the other is told that none is left', async () => {
  const deps = newCheckoutDeps(table);
  const { pool, adult, junior } = await givenTerrace(table, deps.orgId, { capacity: 1 });
  const { told, lines, basketIds } = await atTheSameMoment(deps, [
    (own, basketId) => addItem(own, basketId, adult),
    (own, basketId) => addItem(own, basketId, junior),
  ]);
  expect(told.toSorted()).toEqual(['changed', 'sold_out']);
  expect(lines).toHaveLength(1);
  expect(await ticketsOf(deps, pool, basketIds)).toMatchObject({ available: 0, held: 1, sold: 0 });
});
