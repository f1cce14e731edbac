import { beforeAll, describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { RequestedTender } from '../../../shared/domain/orders/tender.ts';
import { claimBasket } from '../../../shared/sales/checkout/claim.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { findingsOf } from '../../support/audit.ts';
import { ada, givenOnSale, newCheckoutDeps, statusOf, ticketsOf } from '../../support/baskets.ts';
import { cash, givenCounterBasket, sellAtCounter } from '../../support/counter.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { cancelWith, finishJob } from '../../support/jobs.ts';
import { expectEntries } from '../../support/journal.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { createTestTable } from '../../support/table.ts';
import { crashPoints } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Two tickets that the counter was selling when their event was cancelled. The job of the cancellation is over. */
async function givenCancelledMeanwhile(tender: RequestedTender, refund: 'all' | 'none' = 'all') {
  const deps = newCheckoutDeps(table);
  const { event, price } = await givenOnSale(table, deps.orgId, { capacity: 10 });
  const { basketId } = await givenCounterBasket(deps, price, 2);
  const command = { basketId, buyer: ada, paymentMethod: null, tender };
  expect(await claimBasket(deps, command, 'checkout')).toMatchObject({ outcome: 'claimed' });
  await cancelWith(deps, event.eventId, refund);
  await finishJob(deps, event.eventId);
  return { deps, price, basketId, calls: orderCalls(table, deps.orgId, basketId, ['orders:write', 'counter']) };
}

const awaited = { data: [{ status: 'pending', amount: 64.3, to_return: 64.3, reason: 'The event was cancelled.' }] };

describe('a sale at the counter whose event is cancelled before its order is made', () => {
  it.each(['all', 'none'] as const)(
    'is an order whose money awaits its return, because somebody holds it (refund %s)',
    async (refund) => {
      const { deps, price, basketId, calls } = await givenCancelledMeanwhile(cash, refund);
      expect(await sellAtCounter(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
      await sweepBaskets(deps);
      expect(await calls.refunds()).toMatchObject(awaited);
      expect(await readBasket(table, deps.orgId, basketId)).toMatchObject({ status: 'checked_out', refunds: [] });
      expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
      await expectEntries(deps, basketId, ['sale']);
      expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
      await calls.returned(1);
      await expectEntries(deps, basketId, ['sale', 'refund']);
      expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
    },
  );

  it('is the same after a crash at any call of the sweeper that makes the order', async () => {
    for (const at of crashPoints()) {
      const { deps, price, basketId, calls } = await givenCancelledMeanwhile(cash);
      const crash = new CrashPoint(at, 'after');
      const ended = await crash.resultOf(sweepBaskets({ ...deps, table: crashingTable(table, crash) }));
      for (let run = 0; run < 3; run += 1) {
        deps.nowUnix += 3_600;
        await sweepBaskets(deps);
      }
      expect(await calls.refunds()).toMatchObject(awaited);
      expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
      await expectEntries(deps, basketId, ['sale']);
      if (ended !== undefined) return;
    }
  });

  it.each([
    { ...cash, kind: 'complimentary', reason: 'Press' },
    { ...cash, kind: 'invoice', dueUnix: 1_900_000_000 },
  ] as const)('is released if nobody has paid anything: %o', async (tender) => {
    const { deps, price, basketId } = await givenCancelledMeanwhile(tender);
    expect(await sellAtCounter(deps, basketId, tender)).toMatchObject({ outcome: 'refused' });
    expect(await statusOf(deps, basketId)).toBe('expired');
    expect(await ticketsOf(deps, price, [])).toMatchObject({ available: 10, sold: 0 });
  });
});
