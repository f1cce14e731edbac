import { beforeAll, describe, expect, it } from 'vitest';
import { auditStock } from '../../../shared/data/audit/stock.ts';
import { openBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { savePrice } from '../../../shared/data/prices/save-price.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import {
  ada,
  addItem,
  checkOutWith,
  checkoutDepsOf,
  decideInSandbox,
  givenOnSale,
  noonUnix,
  paidCharges,
  prepareWith,
  statusOf,
  type TestCheckoutDeps,
  ticketsOf,
} from '../../support/baskets.ts';
import { crashingTable } from '../../support/faults/faulty-table.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { cancelWith, jobOf, runDueJobs } from '../../support/jobs.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';

const day = 86_400;
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

let organisations = 0;

/** Ten places, of which a group has four until the day after tomorrow. */
async function givenGroup() {
  organisations += 1;
  const deps = checkoutDepsOf(table, `org_group${organisations}`);
  const { event, price: own } = await givenOnSale(table, deps.orgId, { capacity: 10 });
  const basketId = await holdFor(deps, own, 4);
  const audited = () => auditStock(table, { orgId: deps.orgId, eventId: event.eventId });
  return { deps, event, price: own, basketId, audited };
}

async function holdFor(deps: TestCheckoutDeps, own: PriceRecord, quantity: number): Promise<number> {
  const longHold = { untilUnix: noonUnix + 2 * day, reason: null, customer: ada };
  const { basketId } = await openBasket(deps.table, { ...deps, longHold });
  const added = await addItem(deps, basketId, own, quantity);
  if (added.outcome !== 'changed') throw new Error(added.outcome);
  return basketId;
}

describe('the places of a long hold', () => {
  it('are kept for days, and released once at its end', async () => {
    const { deps, price: own, basketId, audited } = await givenGroup();
    deps.nowUnix += 2 * day - 1;
    await sweepBaskets(deps);
    expect(await ticketsOf(deps, own, [basketId])).toMatchObject({ available: 6, held: 4 });
    expect(await audited()).toEqual([]);
    deps.nowUnix += 1;
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'refused', refusal: { reason: 'expired' } });
    for (let run = 0; run < 2; run += 1) await sweepBaskets(deps);
    expect(await ticketsOf(deps, own, [basketId])).toMatchObject({ available: 10, held: 0 });
    expect(await readBasket(table, deps.orgId, basketId)).toMatchObject({ status: 'expired', longHold: null });
  });

  it('are sold although the price has closed meanwhile, and do not come back to the hold with a refund (pretix 2119, 1163)', async () => {
    const { deps, price: own, basketId } = await givenGroup();
    const { index: _, priceId: __, version: ___, stockSlices: ____, ...fields } = own;
    const closed = { ...fields, availableUntilUnix: noonUnix + 60, status: 'inactive' as const };
    await savePrice(table, deps.orgId, { ...closed, currency: 'AUD', capacity: 10 });
    deps.nowUnix += day;
    expect((await checkOutWith(deps, basketId)).outcome).toBe('confirmed');
    await refundOrder(deps, { orderId: basketId, tickets: 'all' });
    expect(await ticketsOf(deps, own, [basketId])).toMatchObject({ available: 10, held: 0 });
    expect(await statusOf(deps, basketId)).toBe('checked_out');
  });

  it.each(['pm_card_declined', 'a page that the buyer leaves', 'a page that fails'])(
    'stay held after an unpaid payment: %s',
    async (how) => {
      const { deps, price: own, basketId, audited } = await givenGroup();
      if (how === 'pm_card_declined') await checkOutWith(deps, basketId, { paymentMethod: how });
      else await prepareWith(deps, basketId);
      if (how === 'a page that fails') await decideInSandbox(deps, basketId, 'fail');
      deps.nowUnix += 3_600;
      await sweepBaskets(deps);
      expect(await readBasket(table, deps.orgId, basketId)).toMatchObject({
        status: 'open',
        longHold: { customer: ada },
      });
      expect(await audited()).toEqual([]);
      expect((await checkOutWith(deps, basketId)).outcome).toBe('confirmed');
      expect(await ticketsOf(deps, own, [basketId])).toMatchObject({ available: 6, sold: 4, held: 0 });
      expect(await paidCharges(deps)).toHaveLength(1);
    },
  );

  it('come back when the event is cancelled, also those whose payment waits for the buyer', async () => {
    const { deps, event, price: own, basketId } = await givenGroup();
    const paying = await holdFor(deps, own, 2);
    await prepareWith(deps, paying);
    await cancelWith(deps, event.eventId, 'all');
    for (let minute = 0; minute < 20; minute += 1) {
      deps.nowUnix += 60;
      await sweepBaskets(deps);
      await runDueJobs(deps);
    }
    expect(await jobOf(deps, event.eventId)).toMatchObject({ status: 'done', failed: 0 });
    for (const id of [basketId, paying]) expect(await statusOf(deps, id)).toBe('cancelled');
    expect(await ticketsOf(deps, own, [basketId, paying])).toMatchObject({ available: 10, held: 0, sold: 0 });
  });

  it.each(crashMoments)('are neither lost nor released twice by a crash %s any call', async (when) => {
    for (const at of crashPoints()) {
      const { deps, price: own, basketId, audited } = await givenGroup();
      const crashing = crashingTable(table, at, when);
      const through = { ...checkoutDepsOf(crashing.table, deps.orgId), clock: deps.clock };
      await checkOutWith(through, basketId, { paymentMethod: 'pm_card_declined' }).catch(() => undefined);
      deps.nowUnix += checkoutLeaseSeconds;
      await sweepBaskets(deps);
      expect(await statusOf(deps, basketId), `call ${at}`).toBe('open');
      expect(await audited()).toEqual([]);
      deps.nowUnix = noonUnix + 2 * day;
      await sweepBaskets({ ...deps, table: crashingTable(table, at, when).table }).catch(() => undefined);
      await sweepBaskets(deps);
      expect(await ticketsOf(deps, own, [basketId]), `call ${at}`).toMatchObject({ available: 10, held: 0 });
      expect(await audited()).toEqual([]);
      if (crashing.hasCrashed()) continue;
      expect(at).toBeGreaterThan(8);
      return;
    }
  });
});
