import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { basketItem } from '../../../shared/data/baskets/row.ts';
import { overdueHints } from '../../../shared/data/table/due-hints.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { checkoutProblem } from '../../../shared/http/handlers/problems/checkout-problem.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import type { CheckoutDeps } from '../../../shared/sales/deps.ts';
import {
  chargesOf,
  checkOutWith,
  completedEvents,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  noonUnix,
  paidCharges,
  shortTimeout,
  statusOf,
  ticketsOf,
} from '../../support/baskets.ts';
import { CrashPoint } from '../../support/faults/crashing-deps.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('checkout when the payment provider does not respond', () => {
  it('an unanswered checkout stays held until the sweeper asks the provider, then is open if unpaid or an order if paid', async () => {
    const checkoutDeps = newCheckoutDeps(table, shortTimeout);
    const { price } = await givenOnSale(table, checkoutDeps.orgId);
    const [unpaid, paid, expired] = [
      await givenBasket(checkoutDeps, price),
      await givenBasket(checkoutDeps, price),
      await givenBasket(checkoutDeps, price),
    ];
    const ids = [unpaid, paid, expired].map(({ basketId }) => basketId);
    for (const [{ basketId }, paymentMethod] of [
      [unpaid, 'pm_card_timeout'],
      [paid, 'pm_card_late'],
    ] as const) {
      expect(await checkOutWith(checkoutDeps, basketId, { paymentMethod })).toEqual({ outcome: 'payment_unknown' });
      expect(await statusOf(checkoutDeps, basketId)).toBe('checking_out');
      expect(await checkOutWith(checkoutDeps, basketId)).toMatchObject({ refusal: { reason: 'checking_out' } });
    }
    await sweepBaskets(checkoutDeps);
    expect(await ticketsOf(checkoutDeps, price, ids)).toMatchObject({ available: 97, held: 3, sold: 0 });
    checkoutDeps.nowUnix += checkoutLeaseSeconds;
    await sweepBaskets(checkoutDeps);
    expect(await statusOf(checkoutDeps, unpaid.basketId)).toBe('open');
    expect(await statusOf(checkoutDeps, paid.basketId)).toBe('checked_out');
    expect(await completedEvents(checkoutDeps)).toHaveLength(1);
    await checkOutWith(checkoutDeps, expired.basketId, { paymentMethod: 'pm_card_timeout' });
    checkoutDeps.nowUnix += basketSeconds;
    await sweepBaskets(checkoutDeps);
    expect(await statusOf(checkoutDeps, expired.basketId)).toBe('expired');
    expect(await ticketsOf(checkoutDeps, price, ids)).toMatchObject({ available: 99, held: 0, sold: 1 });
  });

  it('a checkout retry settles the unanswered payment, and returns the order if it was for the same purchase', async () => {
    const checkoutDeps = newCheckoutDeps(table, shortTimeout);
    const { price } = await givenOnSale(table, checkoutDeps.orgId);
    const [same, other, unpaid] = [
      await givenBasket(checkoutDeps, price),
      await givenBasket(checkoutDeps, price),
      await givenBasket(checkoutDeps, price),
    ];
    await checkOutWith(checkoutDeps, same.basketId, { paymentMethod: 'pm_card_late' });
    await checkOutWith(checkoutDeps, other.basketId, { paymentMethod: 'pm_card_late' });
    await checkOutWith(checkoutDeps, unpaid.basketId, { paymentMethod: 'pm_card_timeout' });
    checkoutDeps.nowUnix += checkoutLeaseSeconds;
    expect(await checkOutWith(checkoutDeps, same.basketId, { paymentMethod: 'pm_card_late' })).toMatchObject({
      outcome: 'confirmed',
    });
    expect(await checkOutWith(checkoutDeps, other.basketId)).toMatchObject({ refusal: { reason: 'checked_out' } });
    expect(await checkOutWith(checkoutDeps, unpaid.basketId)).toMatchObject({ outcome: 'confirmed' });
    expect(await paidCharges(checkoutDeps)).toHaveLength(3);
    expect(await completedEvents(checkoutDeps)).toHaveLength(3);
  });

  it('a checkout retry of an unpaid payment begins a new one and so prolongs it, as the refusal says', async () => {
    const checkoutDeps = newCheckoutDeps(table, shortTimeout);
    const { price } = await givenOnSale(table, checkoutDeps.orgId);
    const { basketId } = await givenBasket(checkoutDeps, price);
    const unanswered = () => checkOutWith(checkoutDeps, basketId, { paymentMethod: 'pm_card_timeout' });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const refusal = await unanswered();
      expect(refusal).toEqual({ outcome: 'payment_unknown' });
      expect(await readBasket(table, checkoutDeps.orgId, basketId)).toMatchObject({ checkout: { attempt } });
      if (refusal.outcome !== 'payment_unknown') continue;
      const { message } = checkoutProblem(refusal, checkoutDeps.nowUnix);
      expect(message).toContain('retrieve the basket to wait for the outcome');
      expect(message).toContain('a payment that was not paid begins anew');
      checkoutDeps.nowUnix += checkoutLeaseSeconds;
    }
    await sweepBaskets(checkoutDeps);
    expect(await statusOf(checkoutDeps, basketId)).toBe('open');
    expect(await paidCharges(checkoutDeps)).toEqual([]);
  });

  it('a checkout that crashed while it paid stays held as long as the provider does not say whether it was charged', async () => {
    let isDown = true;
    const crashPoint = new CrashPoint(1, 'after');
    const checkoutDeps = newCheckoutDeps(table, {
      around: (provider) => ({
        ...provider,
        confirm: (...asked) => crashPoint.call(() => provider.confirm(...asked)),
        retrieve: (...asked) => (isDown ? Promise.reject(new Error('down')) : provider.retrieve(...asked)),
      }),
    });
    const { price } = await givenOnSale(table, checkoutDeps.orgId);
    const { basketId } = await givenBasket(checkoutDeps, price);
    await crashPoint.resultOf(checkOutWith(checkoutDeps, basketId));
    for (let hour = 0; hour < 30; hour += 1) {
      checkoutDeps.nowUnix += 3_600;
      await sweepBaskets(checkoutDeps);
      expect(await statusOf(checkoutDeps, basketId)).toBe('checking_out');
    }
    isDown = false;
    checkoutDeps.nowUnix += 3_600;
    await sweepBaskets(checkoutDeps);
    expect(await readBasket(table, checkoutDeps.orgId, basketId)).toMatchObject({
      status: 'checked_out',
      payment: { chargeId: `sbx_${basketId}-1` },
    });
    expect(await paidCharges(checkoutDeps)).toMatchObject([{ refundedMinor: 0 }]);
  });

  it('a checkout whose payment could not start costs only the attempt', async () => {
    const checkoutDeps = newCheckoutDeps(table, {
      around: (provider) => ({ ...provider, prepare: () => Promise.reject(new Error('down')) }),
    });
    const { price } = await givenOnSale(table, checkoutDeps.orgId);
    const { basketId } = await givenBasket(checkoutDeps, price);
    expect(await checkOutWith(checkoutDeps, basketId)).toEqual({ outcome: 'provider_unavailable' });
    expect(await readBasket(table, checkoutDeps.orgId, basketId)).toMatchObject({ status: 'open', attempts: 1 });
  });
});

describe('checkout when the order cannot be written', () => {
  it('a payment without an order is retried for an hour, then refunded and its stock returned', async () => {
    const checkoutDeps = newCheckoutDeps(table, shortTimeout);
    const { price } = await givenOnSale(table, checkoutDeps.orgId);
    const { basketId } = await givenBasket(checkoutDeps, price);
    await checkOutWith(checkoutDeps, basketId, { paymentMethod: 'pm_card_late' });
    // The customer of the order is missing, so the order can never be written.
    const basket = await readBasket(table, checkoutDeps.orgId, basketId);
    if (basket?.checkout == null) throw new Error('The basket is not being checked out.');
    const Item = basketItem(checkoutDeps.orgId, {
      ...basket,
      checkout: { ...basket.checkout, buyer: null, erasedUserId: 1 },
    });
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    for (let minute = 0; minute < 59; minute += 10) {
      checkoutDeps.nowUnix += 600;
      await sweepBaskets(checkoutDeps);
      if (minute === 40) expect(await statusOf(checkoutDeps, basketId)).toBe('checking_out');
    }
    checkoutDeps.nowUnix += 3_600;
    await sweepBaskets(checkoutDeps);
    expect(await statusOf(checkoutDeps, basketId)).toBe('expired');
    expect(await chargesOf(checkoutDeps)).toMatchObject([{ status: 'paid', amountMinor: 3_215, refundedMinor: 3_215 }]);
    expect(await ticketsOf(checkoutDeps, price, [basketId])).toMatchObject({ available: 100, held: 0, sold: 0 });
    expect(
      await sweepBaskets({ ...checkoutDeps, clock: { nowMs: () => (checkoutDeps.nowUnix + 9_999) * 1000 } }),
    ).toEqual({
      done: 0,
      failed: 0,
    });
  });
});

/** The times at which the sweeper is due for the baskets of an organisation. */
async function hintsOf({ orgId }: CheckoutDeps): Promise<number[]> {
  const due: number[] = [];
  for await (const hints of overdueHints(table, 'basket', noonUnix + 86_400)) {
    due.push(...hints.filter(({ ref }) => ref[0] === orgId).map(({ dueUnix }) => dueUnix));
  }
  return due;
}

describe('checkout when the payment provider does not respond for an hour', () => {
  it('the sweeper asks an unresponsive provider less and less often, also when a buyer retries, and keeps one hint', async () => {
    const askedAfter: number[] = [];
    const { around = (provider) => provider } = shortTimeout;
    const checkoutDeps = newCheckoutDeps(table, {
      around: (provider) => ({
        ...around(provider),
        retrieve: () => {
          askedAfter.push(checkoutDeps.nowUnix - noonUnix);
          return Promise.reject(new Error('down'));
        },
      }),
    });
    const { price } = await givenOnSale(table, checkoutDeps.orgId);
    const { basketId } = await givenBasket(checkoutDeps, price);
    await checkOutWith(checkoutDeps, basketId, { paymentMethod: 'pm_card_late' });
    for (let minute = 1; minute <= 60; minute += 1) {
      checkoutDeps.nowUnix += 60;
      await sweepBaskets(checkoutDeps);
      if (minute === 5) expect(await checkOutWith(checkoutDeps, basketId)).toEqual({ outcome: 'payment_unknown' });
    }
    expect(askedAfter).toEqual([60, 120, 240, 300, 600, 1_200, 2_100, 3_000]);
    expect(await hintsOf(checkoutDeps)).toEqual([noonUnix + 3_900]);
  });
});
