import { describe, expect, it } from 'vitest';
import { changeBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { eraseBasketBuyer } from '../../../shared/domain/baskets/erase-buyer.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { checkOutWith, givenBasket, statusOf, type TestCheckoutDeps } from '../../support/baskets.ts';
import { CrashPoint, crashingProvider } from '../../support/faults/crashing-deps.ts';
import { givenShop, openPaymentWorlds, type WorldName, worldNames } from '../../support/payment-worlds.ts';

const { table, world } = openPaymentWorlds();
let made = 0;

async function givenStarted(name: WorldName) {
  made += 1;
  const { deps, price } = await givenShop(table(), `org_recorded_${made}`, { world: world(name), capacity: 5 });
  const { basketId } = await givenBasket(deps, price);
  const provider = world(name).providerOf(table());
  const succeeded = () => world(name).succeeded(table(), deps.orgId, basketId);
  return { deps, basketId, provider, succeeded };
}

const asking = (deps: TestCheckoutDeps, provider: PaymentProvider): TestCheckoutDeps => ({
  ...deps,
  payments: { ...deps.payments, current: async () => provider, byName: async () => provider },
});

describe.each(worldNames)('a charge is recorded before money moves: %s', (name) => {
  it('the row of the basket has the charge when it is confirmed', async () => {
    const { deps, basketId, provider } = await givenStarted(name);
    const recorded: unknown[] = [];
    const confirm: PaymentProvider['confirm'] = async (charge, signal) => {
      const basket = await readBasket(table(), deps.orgId, basketId);
      recorded.push(basket?.checkout?.charge?.chargeId === charge.chargeId);
      return provider.confirm(charge, signal);
    };
    expect(await checkOutWith(asking(deps, { ...provider, confirm }), basketId)).toMatchObject({
      outcome: 'confirmed',
    });
    expect(recorded).toEqual([true]);
  });

  it('a process that is only late does not pay after its checkout has been taken over', async () => {
    const { deps, basketId, provider, succeeded } = await givenStarted(name);
    let confirmations = 0;
    const late: PaymentProvider = {
      ...provider,
      prepare: async (...asked) => {
        const prepared = await provider.prepare(...asked);
        deps.nowUnix += checkoutLeaseSeconds;
        await sweepBaskets(deps);
        expect(await statusOf(deps, basketId)).toBe('open');
        return prepared;
      },
      confirm: (...asked) => {
        confirmations += 1;
        return provider.confirm(...asked);
      },
    };
    expect(await checkOutWith(asking(deps, late), basketId)).toMatchObject({ refusal: { reason: 'taken_over' } });
    expect({ confirmations, charges: await succeeded() }).toEqual({ confirmations: 0, charges: [] });
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    expect(await succeeded()).toHaveLength(1);
  });

  it('a process that was frozen before it confirms pays nothing: the charge is cancelled before the basket opens again', async () => {
    const { deps, basketId, provider, succeeded } = await givenStarted(name);
    const seen: unknown[] = [];
    const confirm: PaymentProvider['confirm'] = async (...asked) => {
      deps.nowUnix += checkoutLeaseSeconds;
      const cancel: PaymentProvider['cancel'] = async (...charge) => {
        seen.push(await statusOf(deps, basketId));
        return provider.cancel(...charge);
      };
      await sweepBaskets(asking(deps, { ...provider, cancel }));
      seen.push(await statusOf(deps, basketId));
      return provider.confirm(...asked);
    };
    const late = await checkOutWith(asking(deps, { ...provider, confirm }), basketId);
    expect(late.outcome).not.toBe('confirmed');
    expect({ seen, charges: await succeeded() }).toEqual({ seen: ['checking_out', 'open'], charges: [] });
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    expect(await succeeded()).toHaveLength(1);
  });

  it('a buyer who is erased before the charge is recorded is not charged, and the basket expires', async () => {
    const { deps, basketId, provider, succeeded } = await givenStarted(name);
    const { orgId } = deps;
    const prepare: PaymentProvider['prepare'] = async (...asked) => {
      const decide = (basket: Parameters<typeof eraseBasketBuyer>[0]) =>
        eraseBasketBuyer(basket, { userId: 1, isPerson: () => true, isLongHoldFor: () => true });
      await changeBasket(table(), { orgId, basketId, decide });
      return provider.prepare(...asked);
    };
    expect(await checkOutWith(asking(deps, { ...provider, prepare }), basketId)).toMatchObject({
      refusal: { reason: 'taken_over' },
    });
    deps.nowUnix += checkoutLeaseSeconds;
    await sweepBaskets(deps);
    expect({ status: await statusOf(deps, basketId), charges: await succeeded() }).toEqual({
      status: 'expired',
      charges: [],
    });
  });

  it('a checkout that crashed before its charge was recorded opens again without a question to the provider', async () => {
    const { deps, basketId, provider, succeeded } = await givenStarted(name);
    const crashPoint = new CrashPoint(1, 'after');
    await crashPoint.resultOf(checkOutWith(asking(deps, crashingProvider(provider, crashPoint)), basketId));
    deps.nowUnix += checkoutLeaseSeconds;
    const isDown = () => Promise.reject(new Error('down'));
    const down = { ...provider, prepare: isDown, confirm: isDown, retrieve: isDown, cancel: isDown, refund: isDown };
    await sweepBaskets(asking(deps, down));
    expect({ status: await statusOf(deps, basketId), charges: await succeeded() }).toEqual({
      status: 'open',
      charges: [],
    });
  });

  it.each([
    ['was paid', 'after', { status: 'checked_out', charges: 1 }],
    ['was not paid', 'before', { status: 'expired', charges: 0 }],
  ] as const)(
    'a checkout that crashed when it confirmed its charge, which %s, is settled a day later',
    async (_what, when, expected) => {
      const { deps, basketId, provider, succeeded } = await givenStarted(name);
      const crashPoint = new CrashPoint(1, when);
      const confirm: PaymentProvider['confirm'] = (...asked) => crashPoint.call(() => provider.confirm(...asked));
      await crashPoint.resultOf(checkOutWith(asking(deps, { ...provider, confirm }), basketId));
      deps.nowUnix += 86_400;
      await sweepBaskets(deps);
      expect({ status: await statusOf(deps, basketId), charges: (await succeeded()).length }).toEqual(expected);
    },
  );
});
