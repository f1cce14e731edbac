import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readBasket } from '../../shared/data/baskets/baskets.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { readOffer } from '../../shared/data/prices/offer.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { addToBasket, cancelBasket, removeFromBasket } from '../../shared/domain/baskets/changes.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import type { PaymentProvider, PaymentState } from '../../shared/payments/provider.ts';
import { changeBasketEndingPayment } from '../../shared/sales/baskets/end-waiting-payment.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import { checkOutWith, givenBasket, prepareWith, type TestCheckoutDeps, ticketsOf } from './baskets.ts';
import { CrashPoint, crashingProvider, crashingTable } from './faults/crashing-deps.ts';
import { givenShop, openPaymentWorlds, type PaymentWorld, shownSecret, worldNames } from './payment-worlds.ts';
import { intentEventTypes } from './stripe-events.ts';

const index = fc.integer({ min: 0, max: 1 });
const methods = [null, 'pm_card_visa', 'pm_card_declined', 'pm_card_threeDSecure2Required'] as const;
const action = fc.oneof(
  fc.record({ do: fc.constant('prepare' as const), index }),
  fc.record({ do: fc.constant('check out' as const), index, method: fc.constantFrom(...methods) }),
  fc.record({ do: fc.constant('change' as const), index, how: fc.constantFrom('add', 'remove', 'cancel') }),
  fc.record({
    do: fc.constant('act at the provider' as const),
    index,
    outcome: fc.constantFrom('pay', 'pay', 'fail', 'process'),
  }),
  // Truly or not: the provider's own events are late, repeated and out of order too.
  fc.record({ do: fc.constant('report' as const), index, type: fc.constantFrom(...intentEventTypes) }),
  fc.record({ do: fc.constant('sweep' as const) }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(10, 31, 400, 900) }),
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

/** A process that stops at one of its calls; most do not. */
const crash = fc.option(
  fc.record({ at: fc.integer({ min: 1, max: 24 }), when: fc.constantFrom('before' as const, 'after' as const) }),
  { freq: 2 },
);
/** What the answers of the provider are like during a step. */
const answers = fc.constantFrom('prompt', 'prompt', 'prompt', 'repeated', 'late', 'lost', 'stale', 'declined', 'ended');
const step = fc.record({ action, crash, answers });
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Rounds of steps. The steps of one round run concurrently. */
const paymentHistory = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 9 });

/** Declares the tests: random histories with each provider. */
export function describePaymentHistories(numRuns: number): void {
  const worlds = openPaymentWorlds();
  it.each(worldNames)(
    'whatever buyers, the sweeper, crashes and answers of %s do, a charge has its one order or is refunded',
    async (name) => {
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(paymentHistory, async (history) => {
          runs += 1;
          await runPaymentHistory(worlds.table(), `org_${name}_${runs}`, { world: worlds.world(name), history });
        }),
        { numRuns },
      );
    },
  );
}

/**
 * Runs a history of buyer, sweeper and provider over two baskets, then lets everything settle. At any time no basket has two
 * succeeded charges, no order is without its charge, and every ticket is available, held or sold. In the end a succeeded
 * charge has its one order or is refunded.
 */
async function runPaymentHistory(
  table: Table,
  orgId: string,
  { world, history }: { readonly world: PaymentWorld; readonly history: readonly (readonly Step[])[] },
): Promise<void> {
  const { deps, price } = await givenShop(table, orgId, { world, capacity });
  const provider = world.providerOf(table);
  const baskets: number[] = [];
  for (const quantity of [2, 3]) baskets.push((await givenBasket(deps, price, quantity)).basketId);
  const stage: Stage = { provider, world, price, baskets, shown: new Set(), late: [] };
  for (const round of history) {
    await Promise.all(round.map((one) => run(deps, stage, one)));
    // Calls that a crashed process had sent may still be on their way, and the figures are read one after the other.
    await expect.poll(() => countTickets(deps, price, baskets), { timeout: 10_000 }).toBe(capacity);
    for (const basketId of baskets) {
      const orders = (await readOrderWithTickets(table, orgId, basketId)) === undefined ? 0 : 1;
      const charges = (await world.succeeded(table, orgId, basketId)).length;
      expect(charges, JSON.stringify(round)).toBeGreaterThanOrEqual(orders);
      expect(charges, JSON.stringify(round)).toBeLessThanOrEqual(1);
    }
  }
  await Promise.all(stage.late);
  await settleEverything(deps, world, baskets);
  for (const basketId of baskets) await expectSettled(deps, world, basketId);
  const { available, held, sold } = await ticketsOf(deps, price, baskets);
  expect({ held, all: available + sold }).toEqual({ held: 0, all: capacity });
}

const capacity = 7;

async function countTickets(deps: TestCheckoutDeps, price: PriceRecord, baskets: readonly number[]): Promise<number> {
  const { available, held, sold } = await ticketsOf(deps, price, baskets);
  return available + held + sold;
}

interface Stage {
  readonly provider: PaymentProvider;
  readonly world: PaymentWorld;
  readonly price: PriceRecord;
  readonly baskets: readonly number[];
  /** The secrets of payments that a response has shown. A buyer cannot pay any other. */
  readonly shown: Set<string>;
  /** Calls that arrive at the provider after their caller has stopped waiting. */
  readonly late: Promise<unknown>[];
}

async function run(deps: TestCheckoutDeps, stage: Stage, { action: chosen, crash: crashes, answers: how }: Step) {
  const crashPoint = new CrashPoint(crashes?.at ?? 0, crashes?.when ?? 'before');
  const asked = crashingProvider(answering(stage, how), crashPoint);
  const payments = { ...deps.payments, current: async () => asked, byName: async () => asked };
  const process: TestCheckoutDeps = { ...deps, table: crashingTable(deps.table, crashPoint), payments };
  const answer = await crashPoint.resultOf(act(deps, process, stage, chosen));
  const secret = shownSecret(answer);
  if (secret !== undefined) stage.shown.add(secret);
}

async function act(deps: TestCheckoutDeps, process: TestCheckoutDeps, stage: Stage, chosen: Action): Promise<unknown> {
  const { price, world, baskets } = stage;
  const basketId = 'index' in chosen ? (baskets[chosen.index] ?? 0) : 0;
  const { nowUnix } = deps;
  switch (chosen.do) {
    case 'prepare':
      return prepareWith(process, basketId);
    case 'check out':
      return checkOutWith(process, basketId, { paymentMethod: chosen.method });
    case 'change':
      return changeBasketEndingPayment(process, {
        basketId,
        decide: async (basket) => {
          if (chosen.how === 'cancel') return cancelBasket(basket, nowUnix);
          if (chosen.how === 'remove') return removeFromBasket(basket, price.priceId, nowUnix);
          const offer = await readOffer(process.table, process.orgId, price.priceId);
          if (offer === undefined) throw new Error('There is no such price.');
          return addToBasket(basket, offer, { quantity: 1 }, nowUnix);
        },
      });
    case 'act at the provider':
      return world.actAsBuyer(deps.table, deps.orgId, stage.shown, chosen.outcome);
    case 'report':
      return world.report(process, basketId, chosen.type);
    case 'sweep':
      return sweepBaskets(process);
    case 'wait':
      deps.nowUnix += chosen.seconds;
      return undefined;
  }
}

/**
 * Answers that are repeated, come after the caller has stopped waiting, never come, or contradict what another process has
 * seen: a payment that has succeeded is shown as it was before, as declined, or as cancelled.
 */
function answering({ provider, late }: Stage, how: Step['answers']): PaymentProvider {
  const call = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (how === 'late') late.push(sleep(30).then(() => ask().catch(() => undefined)));
    else if (how === 'repeated' || how === 'lost') await ask();
    if (how === 'late' || how === 'lost') throw new Error('The provider does not answer.');
    return ask();
  };
  return {
    ...provider,
    prepare: (...asked) => call(() => provider.prepare(...asked)),
    confirm: (...asked) => call(() => provider.confirm(...asked)),
    cancel: (...asked) => call(() => provider.cancel(...asked)),
    refund: (...asked) => call(() => provider.refund(...asked)),
    retrieve: (...asked) => call(async () => contradicted(how, await provider.retrieve(...asked))),
  };
}

const contradictions: Readonly<Partial<Record<Step['answers'], Partial<PaymentState>>>> = {
  stale: { status: 'requires_action' },
  declined: { status: 'requires_payment_method', declineMessage: 'Your card was declined.' },
  ended: { status: 'failed' },
};

function contradicted(how: Step['answers'], payment: PaymentState): PaymentState {
  return payment.status === 'succeeded' ? { ...payment, ...contradictions[how] } : payment;
}

async function settleEverything(deps: TestCheckoutDeps, world: PaymentWorld, baskets: readonly number[]) {
  for (const basketId of baskets) await world.endProcessing(deps.table, deps.orgId, basketId);
  for (let run = 0; run < 4; run += 1) {
    deps.nowUnix += 1_800;
    await sweepBaskets(deps);
  }
}

/** Checks a basket whose time is over: a succeeded charge has its one order or is refunded, and no order is without its charge. */
export async function expectSettled({ table, orgId }: TestCheckoutDeps, world: PaymentWorld, basketId: number) {
  const basket = await readBasket(table, orgId, basketId);
  const placed = await readOrderWithTickets(table, orgId, basketId);
  const charges = await world.succeeded(table, orgId, basketId);
  const kept = charges.filter(({ amountMinor, refundedMinor }) => refundedMinor < amountMinor);
  expect(['checked_out', 'expired', 'cancelled']).toContain(basket?.status);
  expect({ kept: kept.length, orders: placed === undefined ? 0 : 1 }, `basket ${basket?.status}`).toEqual(
    basket?.status === 'checked_out' ? { kept: 1, orders: 1 } : { kept: 0, orders: 0 },
  );
  if (placed !== undefined) expect(placed.order.totalMinor).toBe(kept[0]?.amountMinor);
}
