import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { linesOf } from '../../../shared/domain/journal/entry.ts';
import { sumOf } from '../../../shared/domain/money.ts';
import { webhookEvents } from '../../../shared/operations/schemas/webhook-event.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { readStripeEvent } from '../../../shared/payments/stripe-events.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { type Intent, succeed } from '../../../tools/fixtures/stripe-intents.ts';
import { checkOutWith, completedEvents, givenBasket, prepareWith, statusOf, ticketsOf } from '../../support/baskets.ts';
import { CrashPoint } from '../../support/faults/crashing-deps.ts';
import { givenShop, intentsOfBasket, openPaymentWorlds } from '../../support/payment-worlds.ts';
import {
  disputeEvent,
  intentEvent,
  intentEventTypes,
  receive,
  signed,
  webhookSecret,
} from '../../support/stripe-events.ts';

const { table, world, double } = openPaymentWorlds();
let made = 0;

async function givenStripeBasket() {
  made += 1;
  const orgId = `org_stripe_${made}`;
  const { deps, price } = await givenShop(table(), orgId, { world: world('stripe'), capacity: 5 });
  const { basketId } = await givenBasket(deps, price, 2);
  return { deps, price, basketId, account: `acct_${orgId}` };
}

/** Each test has an organisation of its own. */
const intentOf = (basketId: number) => {
  const [intent] = intentsOfBasket(double, `org_stripe_${made}`, basketId);
  if (intent === undefined) throw new Error('There is no payment.');
  return intent;
};

describe('events of Stripe', () => {
  it('a payment in the browser becomes an order at once, however often Stripe reports it, with the kind of the method', async () => {
    const { deps, price, basketId, account } = await givenStripeBasket();
    const prepared = await prepareWith(deps, basketId);
    expect(prepared).toMatchObject({
      payment: { provider: 'stripe', status: 'requires_payment_method', publishable_key: 'pk_test_1', account },
    });
    double.actAsBuyer(intentOf(basketId).id, 'pay', 'ideal');
    for (let time = 0; time < 3; time += 1) await receive(deps, intentEvent(intentOf(basketId)));
    expect(await statusOf(deps, basketId)).toBe('checked_out');
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 3, held: 0, sold: 2 });
    expect(await checkOutWith(deps, basketId, { paymentMethod: null })).toMatchObject({
      outcome: 'confirmed',
      placed: { order: { paymentMethod: 'ideal' } },
    });
  });

  it.each([
    ['card', 'checkout'],
    ['apple_pay', 'checkout'],
    ['google_pay', 'event'],
    ['ideal', 'sweep'],
  ] as const)('an order that was paid with %s says so, when it is made by: %s', async (kind, by) => {
    const { deps, basketId } = await givenStripeBasket();
    await prepareWith(deps, basketId);
    double.actAsBuyer(intentOf(basketId).id, 'pay', kind);
    if (by === 'event') await receive(deps, intentEvent(intentOf(basketId)));
    deps.nowUnix += 60;
    if (by === 'sweep') await sweepBaskets(deps);
    if (by !== 'checkout') expect(await statusOf(deps, basketId)).toBe('checked_out');
    expect(await checkOutWith(deps, basketId, { paymentMethod: null })).toMatchObject({
      placed: { order: { paymentMethod: kind } },
    });
    const [completed] = await completedEvents(deps);
    expect(completed?.data).toMatchObject({ order: { payment_method: kind } });
  });

  it('an event that says paid before Stripe does makes no order, and does not cancel the payment', async () => {
    const { deps, basketId } = await givenStripeBasket();
    await prepareWith(deps, basketId);
    await receive(deps, intentEvent(intentOf(basketId)));
    expect(await statusOf(deps, basketId)).toBe('checking_out');
    expect(intentOf(basketId).status).toBe('requires_payment_method');
  });

  it('events that say failed or cancelled change nothing, whether the payment is paid or not', async () => {
    const { deps, price, basketId } = await givenStripeBasket();
    await prepareWith(deps, basketId);
    const contradict = async () => {
      for (const type of intentEventTypes.slice(1)) await receive(deps, intentEvent(intentOf(basketId), type));
    };
    await contradict();
    expect(await statusOf(deps, basketId)).toBe('checking_out');
    double.actAsBuyer(intentOf(basketId).id, 'pay', 'ideal');
    await contradict();
    await receive(deps, intentEvent(intentOf(basketId)));
    await contradict();
    expect(await statusOf(deps, basketId)).toBe('checked_out');
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 3, held: 0, sold: 2 });
  });

  it('a payment that the basket does not know is refunded, also if Stripe first denies that it is paid', async () => {
    const { deps, basketId } = await givenStripeBasket();
    await prepareWith(deps, basketId);
    const known = intentOf(basketId);
    const stray: Intent = { ...known, id: `${known.id}_stray`, status: 'processing' };
    double.intents.push(stray);
    // Stripe's own answers contradict the event, so it is not acknowledged, and Stripe sends it again.
    await expect(receive(deps, intentEvent(stray))).rejects.toThrow('reports and denies');
    succeed(stray);
    for (let time = 0; time < 2; time += 1) await receive(deps, intentEvent(stray));
    expect(double.refunds.filter(({ payment_intent }) => payment_intent === stray.id)).toMatchObject([
      { amount: 6_430 },
    ]);
    expect(await statusOf(deps, basketId)).toBe('checking_out');
  });

  it('a card payment whose process crashed is not refunded, and becomes an order when its lease has ended', async () => {
    const { deps, basketId } = await givenStripeBasket();
    const crashPoint = new CrashPoint(1, 'after');
    const provider = await deps.payments.current();
    const confirm: PaymentProvider['confirm'] = (...asked) => crashPoint.call(() => provider.confirm(...asked));
    const payments = { ...deps.payments, current: async () => ({ ...provider, confirm }) };
    await crashPoint.resultOf(checkOutWith({ ...deps, payments }, basketId));
    await receive(deps, intentEvent(intentOf(basketId)));
    expect(await statusOf(deps, basketId)).toBe('checking_out');
    deps.nowUnix += checkoutLeaseSeconds;
    for (let time = 0; time < 2; time += 1) await receive(deps, intentEvent(intentOf(basketId)));
    expect(await readBasket(table(), deps.orgId, basketId)).toMatchObject({
      status: 'checked_out',
      payment: { provider: 'stripe', chargeId: intentOf(basketId).id },
    });
    expect(double.refunds.filter(({ payment_intent }) => payment_intent === intentOf(basketId).id)).toEqual([]);
  });

  it('a live stage acknowledges what a club does in test mode, which its key does not know', async () => {
    const { deps, basketId } = await givenStripeBasket();
    await checkOutWith(deps, basketId);
    const provider = await deps.payments.current();
    const payments = { ...deps.payments, byName: async () => ({ ...provider, publishableKey: 'pk_live_1' }) };
    const ofTest = { ...intentOf(basketId), id: 'pi_of_test_mode' };
    const event = { ...disputeEvent(ofTest, deps.nowUnix), livemode: false };
    await receive({ ...deps, payments }, event);
    await expect(receive({ ...deps, payments }, { ...event, livemode: true })).rejects.toThrow('resource_missing');
    await expect(receive(deps, event)).rejects.toThrow('resource_missing');
  });

  it('a dispute is announced once as order.disputed, and the tickets stay valid', async () => {
    const { deps, price, basketId } = await givenStripeBasket();
    await checkOutWith(deps, basketId);
    const event = disputeEvent(intentOf(basketId), deps.nowUnix);
    for (let time = 0; time < 2; time += 1) await receive(deps, event);
    await expect(receive(deps, { ...event, account: 'acct_other' })).rejects.toThrow('resource_missing');
    const nowMs = (deps.nowUnix + 60) * 1000;
    const feed = { limit: 100, after: undefined, sinceMs: 0, untilMs: nowMs, nowMs };
    const { events } = await readFeed(table(), deps.orgId, feed);
    const disputed = events.filter(({ body }) => body.includes('order.disputed'));
    expect(disputed.map(({ body }) => v.parse(webhookEvents['order.disputed'], JSON.parse(body)).data)).toMatchObject([
      {
        order: { order_id: basketId },
        dispute: { dispute_id: `dp_${intentOf(basketId).id}`, amount: 64.3, currency: 'AUD' },
      },
    ]);
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 3, sold: 2 });
  });

  it('money of a dispute is in the journal once it is withdrawn, and once it is returned, not when the dispute is opened', async () => {
    const { deps, basketId } = await givenStripeBasket();
    await checkOutWith(deps, basketId);
    const kinds = async () => (await entriesOfOrder(table(), deps.orgId, basketId)).map(({ kind }) => kind);
    const intent = intentOf(basketId);
    for (const type of ['created', 'funds_withdrawn', 'funds_withdrawn'] as const) {
      await receive(deps, disputeEvent(intent, deps.nowUnix, type));
    }
    expect(await kinds()).toEqual(['sale', 'dispute_withdrawn']);
    deps.nowUnix += 60;
    for (let time = 0; time < 2; time += 1) await receive(deps, disputeEvent(intent, deps.nowUnix, 'funds_reinstated'));
    const entries = await entriesOfOrder(table(), deps.orgId, basketId);
    expect(entries.map(({ kind, money }) => [kind, money])).toEqual([
      ['sale', { card: 6_430 }],
      ['dispute_withdrawn', { card: -6_430, disputes: 6_430 }],
      ['dispute_returned', { card: 6_430, disputes: -6_430 }],
    ]);
    for (const entry of entries) expect(sumOf(linesOf(entry).map(({ amountMinor }) => amountMinor))).toBe(0);
  });

  it('an event with a wrong signature, another body or an old signature is refused', async () => {
    const [nowUnix, nowMs] = [1_800_000_000, 1_800_000_000_000];
    const event = { id: 'evt_3', object: 'event', type: 'payment_intent.succeeded', data: { object: {} } };
    const { body, signature } = signed(nowUnix, event);
    expect(await readStripeEvent({ body, signature }, webhookSecret, nowMs)).toEqual({ kind: 'other' });
    expect(await readStripeEvent({ body: `${body} `, signature }, webhookSecret, nowMs)).toBeUndefined();
    expect(await readStripeEvent({ body, signature: '' }, webhookSecret, nowMs)).toBeUndefined();
    expect(await readStripeEvent(signed(nowUnix, event, 'whsec_other'), webhookSecret, nowMs)).toBeUndefined();
    expect(await readStripeEvent({ body, signature }, webhookSecret, nowMs + 301_000)).toBeUndefined();
  });
});
