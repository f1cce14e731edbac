import { beforeAll, expect, it } from 'vitest';
import { auditSeats } from '../../shared/data/audit/seats.ts';
import { changeBasket, openBasket, readBasket } from '../../shared/data/baskets/baskets.ts';
import { isTableUnavailable } from '../../shared/data/table/failures.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { basketSeconds } from '../../shared/domain/baskets/basket.ts';
import { cancelBasket, removeLine } from '../../shared/domain/baskets/changes.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import { cancelOrRefundTickets } from '../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { aSeatMap } from '../../tools/fixtures/seat-maps.ts';
import { checkOutWith, newCheckoutDeps, type TestCheckoutDeps } from '../support/baskets.ts';
import { cancelled, crashingTable, faultyTable } from '../support/faults/faulty-table.ts';
import { seededInts } from '../support/faults/seeded-ints.ts';
import { addSeatsTo, givenSeatedEvent, givenSeats, rowsNow } from '../support/seats.ts';
import { createTestTable } from '../support/table.ts';
import { amount } from '../support/thorough.ts';

const randomInt = seededInts();
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const hall = aSeatMap([
  { row: 'A', seats: '1-8' },
  { row: 'B', seats: '1-8' },
]);

interface Held {
  readonly price: PriceRecord;
  /** It has two seats of row A. */
  readonly basketId: number;
  readonly orderId: number;
}

type Work = (deps: TestCheckoutDeps, held: Held) => Promise<unknown>;

const works: readonly (readonly [string, Work])[] = [
  [
    'picking seats of two rows',
    (deps, { basketId, price }) => addSeatsTo(deps, basketId, price, ['Stalls/A/3', 'Stalls/B/5', 'Stalls/B/6']),
  ],
  ['taking the best seats', (deps, { basketId, price }) => addSeatsTo(deps, basketId, price, 3)],
  [
    'removing a line with seats',
    ({ table: own, orgId, nowUnix }, { basketId }) =>
      changeBasket(own, { orgId, basketId, decide: (basket) => removeLine(basket, 1, nowUnix) }),
  ],
  [
    'cancelling a basket with seats',
    ({ table: own, orgId, nowUnix }, { basketId }) =>
      changeBasket(own, { orgId, basketId, decide: (basket) => cancelBasket(basket, nowUnix) }),
  ],
  ['checking out seats', (deps, { basketId }) => checkOutWith(deps, basketId)],
  [
    'cancelling tickets with seats',
    (deps, { orderId }) => cancelOrRefundTickets(deps, orderId, { tickets: 'all', to: 'cancelled' }),
  ],
];

it.each(works.flatMap(([what, work]) => (['before', 'after'] as const).map((when) => [what, when, work] as const)))(
  '%s, with a crash %s any of its calls: no seat is in two places, and none is lost for sale',
  async (what, when, work) => {
    let at = 0;
    for (let hasCrashed = true; hasCrashed; ) {
      // A checkout has many calls. Most are tested with other tickets.
      at += what === 'checking out seats' ? amount(9, 3) : amount(2, 1);
      const deps = newCheckoutDeps(table);
      const { event, price } = await givenSeatedEvent(table, deps.orgId, { map: hall });
      const { basketId: orderId } = await givenSeats(deps, price, ['Stalls/B/1', 'Stalls/B/2']);
      await checkOutWith(deps, orderId);
      const { basketId } = await givenSeats(deps, price, ['Stalls/A/1', 'Stalls/A/2']);
      const crashing = crashingTable(table, at, when);
      await work({ ...deps, table: crashing.table }, { price, basketId, orderId }).catch(() => {});
      hasCrashed = crashing.hasCrashed();
      const audited = { orgId: deps.orgId, eventId: event.eventId };
      expect(await auditSeats(table, audited, deps.nowUnix)).toEqual([]);
      deps.nowUnix += basketSeconds;
      await sweepBaskets(deps);
      expect(await auditSeats(table, audited, deps.nowUnix)).toEqual([]);
      const { status } = (await readBasket(table, deps.orgId, basketId)) ?? {};
      const [row] = await rowsNow(table, deps.orgId, event.eventId, hall);
      expect([status, row?.includes('x')]).toEqual(status === 'checked_out' ? [status, true] : [status, false]);
    }
    expect(at).toBeGreaterThan(2);
  },
);

/** As on DynamoDB: every third transaction meets a conflict. */
const conflicting = (own: Table): Table =>
  faultyTable(own, async (send) => {
    if (randomInt(3) === 0) throw cancelled('TransactionConflict');
    return send();
  });

it.each<[string, () => readonly string[] | number]>([
  ['picking the same seats', () => ['Stalls/A/1', 'Stalls/A/2']],
  ['picking seats of one row', () => [`Stalls/A/${randomInt(4) * 2 + 1}`, `Stalls/A/${randomInt(4) * 2 + 2}`]],
  ['taking the best seats', () => 2],
])('last seats: 30 concurrent buyers, %s, never share a seat', async (_what, wanted) => {
  const deps = newCheckoutDeps(table);
  const { event, price } = await givenSeatedEvent(table, deps.orgId, { map: hall, allowSingleSeats: true });
  const busy = { ...deps, table: conflicting(table) };
  const buy = async (): Promise<readonly string[]> => {
    const { basketId } = await openBasket(table, deps);
    try {
      const added = await addSeatsTo(busy, basketId, price, wanted());
      return added.outcome === 'changed' ? added.basket.lines.flatMap((line) => line.seats) : [];
    } catch (error) {
      if (!isTableUnavailable(error)) throw error;
      return [];
    }
  };
  const bought = (await Promise.all(Array.from({ length: 30 }, buy))).flat();
  expect(bought.length).toBeGreaterThan(0);
  expect(new Set(bought).size).toBe(bought.length);
  const rows = await rowsNow(table, deps.orgId, event.eventId, hall);
  expect(rows.join('').split('x').length - 1).toBe(bought.length);
  expect(await auditSeats(table, { orgId: deps.orgId, eventId: event.eventId }, deps.nowUnix)).toEqual([]);
});
