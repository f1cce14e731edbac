import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Desk } from '../../shared/checkout/deps.ts';
import { sweepBaskets } from '../../shared/checkout/sweep-baskets.ts';
import { readBasket } from '../../shared/data/baskets/baskets.ts';
import { orderIdKey } from '../../shared/data/orders/row.ts';
import { overdueHints } from '../../shared/data/table/due-hints.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { holdSeconds } from '../../shared/domain/baskets/basket.ts';
import { checkoutLeaseSeconds } from '../../shared/domain/baskets/checkout.ts';
import {
  chargesOf,
  checkOutWith,
  completedEvents,
  givenBasket,
  givenOnSale,
  impatient,
  newDesk,
  noonUnix,
  paidCharges,
  statusOf,
  ticketsOf,
} from '../support/baskets.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('a payment provider that does not answer', () => {
  it('leaves the basket held until it has been asked; what was not paid is open again, what was paid an order', async () => {
    const desk = newDesk(table, impatient);
    const { price } = await givenOnSale(table, desk.orgId);
    const [unpaid, paid, over] = [
      await givenBasket(desk, price),
      await givenBasket(desk, price),
      await givenBasket(desk, price),
    ];
    const ids = [unpaid, paid, over].map(({ basketId }) => basketId);
    for (const [{ basketId }, paymentMethod] of [
      [unpaid, 'pm_card_timeout'],
      [paid, 'pm_card_late'],
    ] as const) {
      expect(await checkOutWith(desk, basketId, { paymentMethod })).toEqual({ outcome: 'payment_unknown' });
      expect(await statusOf(desk, basketId)).toBe('checking_out');
      expect(await checkOutWith(desk, basketId)).toMatchObject({ refusal: { reason: 'checking_out' } });
    }
    await sweepBaskets(desk);
    expect(await ticketsOf(desk, price, ids)).toMatchObject({ available: 97, held: 3, sold: 0 });
    desk.nowUnix += checkoutLeaseSeconds;
    await sweepBaskets(desk);
    expect(await statusOf(desk, unpaid.basketId)).toBe('open');
    expect(await statusOf(desk, paid.basketId)).toBe('checked_out');
    expect(await completedEvents(desk)).toHaveLength(1);
    await checkOutWith(desk, over.basketId, { paymentMethod: 'pm_card_timeout' });
    desk.nowUnix += holdSeconds;
    await sweepBaskets(desk);
    expect(await statusOf(desk, over.basketId)).toBe('expired');
    expect(await ticketsOf(desk, price, ids)).toMatchObject({ available: 99, held: 0, sold: 1 });
  });

  it('is asked by whoever tries again, who gets the order if it was for the same', async () => {
    const desk = newDesk(table, impatient);
    const { price } = await givenOnSale(table, desk.orgId);
    const [same, other, unpaid] = [
      await givenBasket(desk, price),
      await givenBasket(desk, price),
      await givenBasket(desk, price),
    ];
    await checkOutWith(desk, same.basketId, { paymentMethod: 'pm_card_late' });
    await checkOutWith(desk, other.basketId, { paymentMethod: 'pm_card_late' });
    await checkOutWith(desk, unpaid.basketId, { paymentMethod: 'pm_card_timeout' });
    desk.nowUnix += checkoutLeaseSeconds;
    expect(await checkOutWith(desk, same.basketId, { paymentMethod: 'pm_card_late' })).toMatchObject({
      outcome: 'confirmed',
    });
    expect(await checkOutWith(desk, other.basketId)).toMatchObject({ refusal: { reason: 'checked_out' } });
    expect(await checkOutWith(desk, unpaid.basketId)).toMatchObject({ outcome: 'confirmed' });
    expect(await paidCharges(desk)).toHaveLength(3);
    expect(await completedEvents(desk)).toHaveLength(3);
  });

  it('before any money could move costs nothing but the attempt', async () => {
    const desk = newDesk(table, {
      around: (provider) => ({ ...provider, prepare: () => Promise.reject(new Error('down')) }),
    });
    const { price } = await givenOnSale(table, desk.orgId);
    const { basketId } = await givenBasket(desk, price);
    expect(await checkOutWith(desk, basketId)).toEqual({ outcome: 'provider_unavailable' });
    expect(await readBasket(table, desk.orgId, basketId)).toMatchObject({ status: 'open', attempts: 1 });
  });
});

describe('a payment of which no order can be made', () => {
  it('is tried for an hour, then given back with what was held', async () => {
    const desk = newDesk(table, impatient);
    const { price } = await givenOnSale(table, desk.orgId);
    const { basketId } = await givenBasket(desk, price);
    await checkOutWith(desk, basketId, { paymentMethod: 'pm_card_late' });
    // Something else has taken the order's number: it cannot be recorded, however often it is tried.
    const Item = { ...orderIdKey(desk.orgId, basketId), event: 1, place: 'nowhere' };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    for (let minute = 0; minute < 59; minute += 10) {
      desk.nowUnix += 600;
      await sweepBaskets(desk);
      if (minute === 40) expect(await statusOf(desk, basketId)).toBe('checking_out');
    }
    desk.nowUnix += 3_600;
    await sweepBaskets(desk);
    expect(await statusOf(desk, basketId)).toBe('expired');
    expect(await chargesOf(desk)).toMatchObject([{ status: 'paid', amountMinor: 3_215, refundedMinor: 3_215 }]);
    expect(await ticketsOf(desk, price, [basketId])).toMatchObject({ available: 100, held: 0, sold: 0 });
    expect(await sweepBaskets({ ...desk, clock: { nowMs: () => (desk.nowUnix + 9_999) * 1000 } })).toEqual({
      done: 0,
      failed: 0,
    });
  });
});

/** When the sweeper shall look at an organisation's baskets. */
async function hintsOf({ orgId }: Desk): Promise<number[]> {
  const due: number[] = [];
  for await (const hints of overdueHints(table, 'basket', noonUnix + 86_400)) {
    due.push(...hints.filter(({ ref }) => ref[0] === orgId).map(({ dueUnix }) => dueUnix));
  }
  return due;
}

describe('a payment provider that does not answer for an hour', () => {
  it('is asked ever more rarely, also when a buyer asks in between, and leaves one hint to do so', async () => {
    const askedAfter: number[] = [];
    const { around = (provider) => provider } = impatient;
    const desk = newDesk(table, {
      around: (provider) => ({
        ...around(provider),
        settle: () => {
          askedAfter.push(desk.nowUnix - noonUnix);
          return Promise.reject(new Error('down'));
        },
      }),
    });
    const { price } = await givenOnSale(table, desk.orgId);
    const { basketId } = await givenBasket(desk, price);
    await checkOutWith(desk, basketId, { paymentMethod: 'pm_card_late' });
    for (let minute = 1; minute <= 60; minute += 1) {
      desk.nowUnix += 60;
      await sweepBaskets(desk);
      if (minute === 5) expect(await checkOutWith(desk, basketId)).toEqual({ outcome: 'payment_unknown' });
    }
    expect(askedAfter).toEqual([60, 120, 240, 300, 600, 1_200, 2_100, 3_000]);
    expect(await hintsOf(desk)).toEqual([noonUnix + 3_900]);
  });
});
