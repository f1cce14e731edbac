import { expect } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { removeFromBasket } from '../../../shared/domain/baskets/changes.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { changeBasketEndingPayment } from '../../../shared/sales/baskets/end-waiting-payment.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import {
  checkOutWith,
  completedEvents,
  givenBasket,
  prepareWith,
  statusOf,
  type TestCheckoutDeps,
  ticketsOf,
} from '../baskets.ts';
import { expectEventHinted } from '../order-events.ts';
import { expectSettled } from '../payment-histories.ts';
import { givenShop, type PaymentWorld, shownSecret } from '../payment-worlds.ts';
import { CrashPoint, crashingProvider, crashingTable } from './crashing-deps.ts';

/** The steps of a payment that needs the buyer. One of them crashes. */
export const buyerPaymentSteps = ['begin', 'verify', 'sweep', 'event', 'change'] as const;
export type BuyerPaymentStep = (typeof buyerPaymentSteps)[number];
/** Both ways to pay: with the provider's component, or with a card that demands 3-D Secure. */
export const waysToPay = ['prepare-payment', '3-D Secure'] as const;

export interface BuyerPaymentCrash {
  readonly table: Table;
  readonly orgId: string;
  readonly world: PaymentWorld;
  readonly way: (typeof waysToPay)[number];
  readonly step: BuyerPaymentStep;
  readonly crashes: { readonly at: number; readonly when: 'before' | 'after' };
  /** What comes after the crash: the next run of the sweeper, the same request again, or an event of the provider. */
  readonly recoverBy: 'sweep' | 'retry' | 'event';
}

/**
 * Runs a payment that needs the buyer. The process of one step crashes at one of its calls. The buyer pays whatever payment a
 * response has shown. In every case the paid charge has its one order, and without a paid charge there is none. Returns
 * whether the process crashed.
 */
export async function runBuyerPaymentCrash(scenario: BuyerPaymentCrash): Promise<boolean> {
  const { table, orgId, world, way, step, crashes, recoverBy } = scenario;
  const { deps, price } = await givenShop(table, orgId, { world, capacity: 5 });
  const { basketId } = await givenBasket(deps, price, 2);
  const paymentMethod = way === 'prepare-payment' ? null : 'pm_card_threeDSecure2Required';
  const checkOut = (own: TestCheckoutDeps) => checkOutWith(own, basketId, { paymentMethod });
  const steps: Record<BuyerPaymentStep, (own: TestCheckoutDeps) => Promise<unknown>> = {
    begin: (own) => (paymentMethod === null ? prepareWith(own, basketId) : checkOut(own)),
    verify: checkOut,
    sweep: sweepBaskets,
    event: (own) => world.report(own, basketId, 'payment_intent.succeeded'),
    change: (own) =>
      changeBasketEndingPayment(own, {
        basketId,
        decide: (basket) => removeFromBasket(basket, price.priceId, own.nowUnix),
      }),
  };
  const shown = new Set<string>();
  const show = (result: unknown): void => {
    const secret = shownSecret(result);
    if (secret !== undefined) shown.add(secret);
  };
  const crashPoint = new CrashPoint(crashes.at, crashes.when);
  const runAndCrash = (name: BuyerPaymentStep) =>
    crashPoint.resultOf(steps[name](crashing(deps, world, crashPoint)).then((result) => ({ result })));

  let answered = step === 'begin' ? await runAndCrash('begin') : { result: await steps.begin(deps) };
  show(answered?.result);
  if (answered === undefined && recoverBy !== 'sweep') {
    // The buyer gets no response and tries again.
    deps.nowUnix += checkoutLeaseSeconds;
    show(await steps.begin(deps));
  }
  // The change crashes before the buyer pays, or the payment would end it.
  if (step === 'change') answered = await runAndCrash('change');
  await world.actAsBuyer(table, orgId, shown, 'pay');
  deps.nowUnix += 1;
  if (step === 'verify' || step === 'sweep' || step === 'event') answered = await runAndCrash(step);

  deps.nowUnix += checkoutLeaseSeconds;
  await steps[recoverBy === 'retry' ? 'verify' : recoverBy](deps);
  const isPaid = (await world.succeeded(table, orgId, basketId)).length === 1;
  const isSettled = recoverBy !== 'event' || world.name === 'stripe';
  const about = JSON.stringify({ way, step, crashes, recoverBy });
  await expectEventHinted(deps, basketId, about);
  if (isPaid && isSettled) expect(await statusOf(deps, basketId), about).toBe('checked_out');
  if (shown.size > 0 && step !== 'change') expect(isPaid, about).toBe(true);

  for (let run = 0; run < 3; run += 1) {
    deps.nowUnix += 1_800;
    await sweepBaskets(deps);
  }
  await expectSettled(deps, world, basketId);
  const orders = isPaid ? 1 : 0;
  expect(await completedEvents(deps), about).toHaveLength(orders);
  expect(await ticketsOf(deps, price, [basketId]), about).toMatchObject({
    available: 5 - 2 * orders,
    held: 0,
    sold: 2 * orders,
  });
  return answered === undefined;
}

function crashing(deps: TestCheckoutDeps, world: PaymentWorld, crashPoint: CrashPoint): TestCheckoutDeps {
  const provider = crashingProvider(world.providerOf(deps.table), crashPoint);
  const payments = { ...deps.payments, current: async () => provider, byName: async () => provider };
  return { ...deps, table: crashingTable(deps.table, crashPoint), payments };
}
