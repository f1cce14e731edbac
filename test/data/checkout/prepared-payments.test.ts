import { beforeAll, describe, expect, it } from 'vitest';
import { membersOfCustomer } from '../../../shared/data/members/of-customer.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { cancelBasket, removeFromBasket } from '../../../shared/domain/baskets/changes.ts';
import { buyerWaitSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { changeBasketEndingPayment } from '../../../shared/sales/baskets/end-waiting-payment.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  ada,
  chargesOf,
  checkOutWith,
  decideInSandbox,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  prepareWith,
  statusOf,
} from '../../support/baskets.ts';
import { expectNothing, expectOneOrder, givenFilledBasket } from '../../support/filled-baskets.ts';
import { givenMembershipBasket, givenType, leftOf } from '../../support/memberships.ts';
import { buyInInstalments, givenInstalmentType, planOf, sixMonthly } from '../../support/plans.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const grace = { emailAddress: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' };
const noMethod = { paymentMethod: null };

describe('prepare-payment', () => {
  it('a prepared payment is the same when it is prepared again, and becomes the order after the buyer has paid', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    const first = await prepareWith(deps, basketId);
    expect(first).toMatchObject({
      outcome: 'prepared',
      payment: { provider: 'sandbox', amount: 64.3, currency: 'AUD' },
    });
    expect(await prepareWith(deps, basketId)).toEqual(first);
    expect(await statusOf(deps, basketId)).toBe('checking_out');
    expect(await checkOutWith(deps, basketId, noMethod)).toMatchObject({ outcome: 'action_required' });
    await decideInSandbox(deps, basketId, 'approve');
    expect(await prepareWith(deps, basketId)).toMatchObject({ payment: { status: 'succeeded' } });
    const order = await checkOutWith(deps, basketId, noMethod);
    expect(order).toMatchObject({ outcome: 'confirmed', placed: { order: { paymentMethod: 'card' } } });
    expect(await checkOutWith(deps, basketId, noMethod)).toMatchObject({ outcome: 'confirmed' });
    await expectOneOrder(deps, price, basketId);
  });

  it('a prepared payment whose buyer never comes back becomes an order in the next run of the sweeper', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await prepareWith(deps, basketId);
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await statusOf(deps, basketId), 'the buyer can still pay').toBe('checking_out');
    await decideInSandbox(deps, basketId, 'approve');
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    await expectOneOrder(deps, price, basketId);
    expect(await checkOutWith(deps, basketId, noMethod), 'the buyer comes back after all').toMatchObject({
      outcome: 'confirmed',
    });
  });

  it('another buyer of a membership in instalments begins another payment: the card is saved for that person alone', async () => {
    const keys: string[] = [];
    const deps = newCheckoutDeps(table, {
      around: (provider) => ({
        ...provider,
        createCustomer: (wanted, signal) => {
          keys.push(wanted.key);
          return provider.createCustomer(wanted, signal);
        },
      }),
    });
    const type = await givenInstalmentType(deps);
    const before = await buyInInstalments(deps, type);
    const basketId = await givenMembershipBasket(deps, type);
    await prepareWith(deps, basketId, sixMonthly);
    expect(await prepareWith(deps, basketId, { ...sixMonthly, buyer: grace })).toMatchObject({ outcome: 'prepared' });
    await decideInSandbox(deps, basketId, 'approve');
    const bought = await checkOutWith(deps, basketId, { ...sixMonthly, ...noMethod, buyer: grace });
    if (bought.outcome !== 'confirmed') throw new Error(bought.outcome);
    const own = await planOf(deps, bought.placed.memberships[0]?.planId ?? 0);
    expect(own.customer).not.toBe((await planOf(deps, before.planId)).customer);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(['the buyer', 'the sweeper'])(
    'a membership is made once when %s completes its prepared payment',
    async (by) => {
      const deps = newCheckoutDeps(table);
      await givenOrganisation(table, deps.orgId);
      const type = await givenType(table, deps.orgId, { capacity: 3 });
      const basketId = await givenMembershipBasket(deps, type);
      expect(await prepareWith(deps, basketId)).toMatchObject({ outcome: 'prepared', payment: { amount: 240.5 } });
      await decideInSandbox(deps, basketId, 'approve');
      deps.nowUnix += 60;
      if (by === 'the sweeper') await sweepBaskets(deps);
      const result = await checkOutWith(deps, basketId, noMethod);
      expect(result).toMatchObject({ outcome: 'confirmed', placed: { memberships: [{ typeId: type.typeId }] } });
      const { order } = (await readOrderWithTickets(table, deps.orgId, basketId)) ?? {};
      expect(await membersOfCustomer(table, deps.orgId, order?.userId ?? 0)).toHaveLength(1);
      expect(await leftOf(table, deps.orgId, type)).toBe(2);
      expect(await findingsOf(table, deps.orgId)).toEqual([]);
    },
  );

  it('a prepared payment that is not paid when its time is over is cancelled first, and then the tickets are released', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    deps.nowUnix += basketSeconds - 1;
    await prepareWith(deps, basketId);
    deps.nowUnix += buyerWaitSeconds - 1;
    await sweepBaskets(deps);
    expect(await statusOf(deps, basketId)).toBe('checking_out');
    deps.nowUnix += 1;
    await sweepBaskets(deps);
    expect(await chargesOf(deps)).toMatchObject([{ status: 'cancelled' }]);
    expect(await statusOf(deps, basketId)).toBe('expired');
    await decideInSandbox(deps, basketId, 'approve');
    await expectNothing(deps, price, basketId);
    expect(await prepareWith(deps, basketId)).toMatchObject({ refusal: { reason: 'expired' } });
  });

  it('a payment that succeeds in the last second before it is cancelled becomes an order, although its time is over', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await prepareWith(deps, basketId);
    deps.nowUnix += buyerWaitSeconds;
    await decideInSandbox(deps, basketId, 'approve');
    await sweepBaskets(deps);
    await expectOneOrder(deps, price, basketId);
  });

  it('changing the basket cancels the prepared payment; a change that is refused does not', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await prepareWith(deps, basketId);
    const remove = (priceId: number) =>
      changeBasketEndingPayment(deps, {
        basketId,
        decide: (basket) => removeFromBasket(basket, priceId, deps.nowUnix),
      });
    expect(await remove(1)).toMatchObject({ refusal: { reason: 'not_in_basket' } });
    expect(await chargesOf(deps)).toMatchObject([{ status: 'requires_action' }]);
    expect(await remove(price.priceId)).toMatchObject({ outcome: 'changed', basket: { status: 'open', lines: [] } });
    expect(await chargesOf(deps)).toMatchObject([{ status: 'cancelled' }]);
    await expectNothing(deps, price, basketId);
  });

  it('a basket whose prepared payment is paid cannot be cancelled, and becomes an order', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await prepareWith(deps, basketId);
    await decideInSandbox(deps, basketId, 'approve');
    const cancelled = await changeBasketEndingPayment(deps, {
      basketId,
      decide: (basket) => cancelBasket(basket, deps.nowUnix),
    });
    expect(cancelled).toMatchObject({ outcome: 'refused', refusal: { reason: 'checking_out' } });
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    await expectOneOrder(deps, price, basketId);
  });

  it('the customer of the last prepare-payment counts, and a checkout for another one is refused', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await prepareWith(deps, basketId);
    await prepareWith(deps, basketId, { buyer: grace });
    await decideInSandbox(deps, basketId, 'approve');
    expect(await checkOutWith(deps, basketId, { ...noMethod, buyer: ada })).toMatchObject({
      refusal: { reason: 'other_buyer' },
    });
    const order = await checkOutWith(deps, basketId, { ...noMethod, buyer: grace });
    expect(order).toMatchObject({ placed: { order: { emailAddress: 'grace@example.com' } } });
    await expectOneOrder(deps, price, basketId);
  });

  it('a prepared payment that failed opens the basket again, and the next one is a new payment', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await prepareWith(deps, basketId);
    await decideInSandbox(deps, basketId, 'fail');
    expect(await checkOutWith(deps, basketId, noMethod)).toMatchObject({ outcome: 'declined' });
    expect(await statusOf(deps, basketId)).toBe('open');
    await prepareWith(deps, basketId);
    await decideInSandbox(deps, basketId, 'approve');
    await checkOutWith(deps, basketId, noMethod);
    await expectOneOrder(deps, price, basketId);
  });

  it('a checkout with a card replaces a prepared payment, which is cancelled first', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await prepareWith(deps, basketId);
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    expect((await chargesOf(deps)).map(({ status }) => status)).toEqual(['cancelled', 'paid']);
    await expectOneOrder(deps, price, basketId);
  });

  it('a free basket needs no payment, and an empty or unknown one has none', async () => {
    const deps = newCheckoutDeps(table);
    const free = { priceMinor: 0, serviceFeeMinor: 0, serviceTaxMinor: 0 };
    const { price } = await givenOnSale(table, deps.orgId, free);
    const { basketId } = await givenBasket(deps, price);
    expect(await prepareWith(deps, basketId)).toMatchObject({ refusal: { reason: 'payment_not_needed' } });
    expect(await prepareWith(deps, 64)).toEqual({ outcome: 'missing' });
  });
});
