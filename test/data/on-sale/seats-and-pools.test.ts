import { beforeAll, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { findingsOf } from '../../support/audit.ts';
import { addItem, checkOutWith, checkoutDepsOf, givenTerrace, noonUnix, statusOf } from '../../support/baskets.ts';
import { CodeOffice } from '../../support/code-office.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { PhaseOffice } from '../../support/phase-office.ts';
import { addSeatsTo, givenSeatedEvent, givenSeats } from '../../support/seats.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';
import { leftOf } from '../../support/waiting-list.ts';

const day = 86_400;
let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

it('numbered seats are kept for days, sold to whom they are kept for, and released once', async () => {
  const deps = checkoutDepsOf(table, 'org_keptseats');
  await givenOrganisation(table, deps.orgId);
  const { price } = await givenSeatedEvent(table, deps.orgId);
  const longHold = { untilUnix: noonUnix + 2 * day, reason: 'Sponsor', customer: null };
  const [left, paid] = [await openBasket(table, { ...deps, longHold }), await openBasket(table, { ...deps, longHold })];
  const [seat, other] = ['Stalls/A/1', 'Stalls/A/2'];
  await addSeatsTo(deps, left.basketId, price, [seat]);
  await addSeatsTo(deps, paid.basketId, price, [other]);
  deps.nowUnix += day;
  await sweepBaskets(deps);
  await checkOutWith(deps, paid.basketId, { paymentMethod: 'pm_card_declined' });
  expect(await statusOf(deps, paid.basketId)).toBe('open');
  for (const taken of [seat, other]) await expect(givenSeats(deps, price, [taken])).rejects.toThrow('not added');
  expect((await checkOutWith(deps, paid.basketId)).outcome).toBe('confirmed');
  await refundOrder(deps, { orderId: paid.basketId, tickets: 'all' });
  expect(await statusOf(deps, paid.basketId)).toBe('checked_out');
  deps.nowUnix += day;
  for (let run = 0; run < 2; run += 1) await sweepBaskets(deps);
  expect(await statusOf(deps, left.basketId)).toBe('expired');
  await givenSeats(deps, price, [seat, other]);
  expect(await findingsOf(table, deps.orgId)).toEqual([]);
});

it('places of a pool are kept for days, and released once to the pool and to the maximum of the price', async () => {
  const deps = checkoutDepsOf(table, 'org_keptpool');
  await givenOrganisation(table, deps.orgId);
  const { pool, junior } = await givenTerrace(table, deps.orgId, { capacity: 6, juniors: 3 });
  const longHold = { untilUnix: noonUnix + 2 * day, reason: null, customer: null };
  const { basketId } = await openBasket(table, { ...deps, longHold });
  await addItem(deps, basketId, junior, 2);
  expect(await addItem(deps, basketId, junior, 2)).toMatchObject({ outcome: 'refused' });
  const left = async () => [(await leftOf(deps, pool))?.avail, (await leftOf(deps, junior))?.avail];
  expect(await left()).toEqual([4, 1]);
  deps.nowUnix += 2 * day;
  for (let run = 0; run < 2; run += 1) await sweepBaskets(deps);
  expect(await left()).toEqual([6, 3]);
  expect(await findingsOf(table, deps.orgId)).toEqual([]);
});

it('numbered seats follow codes and phases as other tickets do', async () => {
  const orgId = 'org_seatcodes';
  await givenOrganisation(table, orgId);
  const { event, price } = await givenSeatedEvent(table, orgId);
  const key = (await givenKey(table, orgId)).text;
  const [codes, phases] = [new CodeOffice(table, orgId, key), new PhaseOffice(table, key, event.eventId)];
  const shop = new Shop(table, orgId, (await givenStorefrontToken(table, orgId)).text);
  await codes.word('FRIENDS', {
    effect: { kind: 'percent', value: 50 },
    uses_per_code: 1,
    reveals_price_ids: [price.priceId],
  });
  const phase = await phases.created({ from_unix: noonUnix + 60, max_per_person: 2 });
  const basket = await shop.opened();
  expect(await shop.addSeats(basket, price.priceId, 2)).toMatchObject({
    status: 400,
    body: { error: { code: 'resource_missing', param: 'price_id' } },
  });
  await shop.applyCode(basket, 'friends');
  expect(await shop.addSeats(basket, price.priceId, 2)).toMatchObject({
    status: 403,
    body: { error: { code: 'phase_not_open' }, phase: { next_phase_from_unix: noonUnix + 60 } },
  });
  await phases.update(phase, { from_unix: null });
  expect(await shop.addSeats(basket, price.priceId, 3)).toMatchObject({
    status: 409,
    body: { error: { code: 'max_per_person_exceeded' } },
  });
  expect((await shop.addSeats(basket, price.priceId, 2)).body).toMatchObject({ code: { reduction: 30 } });
  expect(await shop.checkOut(basket)).toMatchObject({
    status: 201,
    body: { tickets: [{ discount: 15 }, { discount: 15 }] },
  });
  expect(await codes.usesOf('FRIENDS')).toBe(1);
  expect(await findingsOf(table, orgId)).toEqual([]);
});
