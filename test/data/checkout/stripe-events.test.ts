import Stripe from 'stripe';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptStripeEvent } from '../../../shared/checkout/accept-stripe-event.ts';
import { updateOrganisation } from '../../../shared/data/organisations/organisation.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { webhookEvents } from '../../../shared/operations/schemas/webhook-event.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { stripeProvider } from '../../../shared/payments/stripe.ts';
import { openStripeClient } from '../../../shared/payments/stripe-client.ts';
import { parseStripeSecrets, readStripeEvent } from '../../../shared/payments/stripe-events.ts';
import { givenOrganisation } from '../../support/auth.ts';
import {
  checkOutWith,
  checkoutDepsOf,
  givenBasket,
  givenOnSale,
  prepareWith,
  statusOf,
  type TestCheckoutDeps,
  ticketsOf,
} from '../../support/baskets.ts';
import { StripeDouble } from '../../support/stripe-double.ts';
import { createTestTable } from '../../support/table.ts';

const double = new StripeDouble();
const webhookSecret = 'whsec_test';
let table: Table;
let stripe: PaymentProvider;
let made = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
  stripe = stripeProvider(await openStripeClient('sk_test_double', await double.start()), 'pk_test_1');
});
afterAll(() => double.stop());

async function givenStripeBasket() {
  made += 1;
  const orgId = `org_stripe_${made}`;
  await givenOrganisation(table, orgId);
  await updateOrganisation(table, orgId, { paymentAccountId: `acct_${made}` });
  const deps = checkoutDepsOf(table, orgId, { around: () => stripe });
  const { price } = await givenOnSale(table, orgId, { capacity: 5 });
  const { basketId } = await givenBasket(deps, price, 2);
  return { deps, price, basketId, account: `acct_${made}` };
}

const intentOf = (basketId: number) => {
  const intent = double.intents.find(({ metadata }) => metadata.gateline_basket === String(basketId));
  if (intent === undefined) throw new Error('There is no payment.');
  return intent;
};

/** An event as Stripe sends it: signed at the time of the service. */
function signed(nowUnix: number, event: unknown, secret = webhookSecret) {
  const body = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: nowUnix });
  return { body, signature };
}

const paidEvent = (account: string, basketId: number) => {
  const { id, metadata } = intentOf(basketId);
  return {
    id: 'evt_1',
    object: 'event',
    type: 'payment_intent.succeeded',
    account,
    data: { object: { id, metadata } },
  };
};

async function receive(deps: TestCheckoutDeps, event: unknown): Promise<void> {
  const read = await readStripeEvent(signed(deps.nowUnix, event), webhookSecret, deps.nowUnix * 1000);
  if (read === undefined) throw new Error('The signature was refused.');
  await acceptStripeEvent(deps, read);
}

describe('events of Stripe', () => {
  it('a payment in the browser becomes an order at once, however often Stripe reports it, with the kind of the method', async () => {
    const { deps, price, basketId, account } = await givenStripeBasket();
    const prepared = await prepareWith(deps, basketId);
    expect(prepared).toMatchObject({
      payment: { provider: 'stripe', status: 'requires_payment_method', publishable_key: 'pk_test_1', account },
    });
    double.actAsBuyer(intentOf(basketId).id, 'pay', 'ideal');
    for (let time = 0; time < 3; time += 1) await receive(deps, paidEvent(account, basketId));
    expect(await statusOf(deps, basketId)).toBe('checked_out');
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 3, held: 0, sold: 2 });
    expect(await checkOutWith(deps, basketId, { paymentMethod: null })).toMatchObject({
      outcome: 'confirmed',
      placed: { order: { paymentMethod: 'ideal' } },
    });
  });

  it('an event that says paid before Stripe does makes no order, and does not cancel the payment', async () => {
    const { deps, basketId, account } = await givenStripeBasket();
    await prepareWith(deps, basketId);
    await receive(deps, paidEvent(account, basketId));
    expect(await statusOf(deps, basketId)).toBe('checking_out');
    expect(intentOf(basketId).status).toBe('requires_payment_method');
  });

  it('a payment that the basket does not know is refunded', async () => {
    const { deps, basketId, account } = await givenStripeBasket();
    await prepareWith(deps, basketId);
    const { id, metadata } = intentOf(basketId);
    const stray = { ...intentOf(basketId), id: `${id}_stray`, account, metadata, status: 'succeeded' as const };
    double.intents.push({ ...stray, amount_received: stray.amount });
    const event = { ...paidEvent(account, basketId), data: { object: { id: stray.id, metadata } } };
    for (let time = 0; time < 2; time += 1) await receive(deps, event);
    expect(double.refunds.filter(({ payment_intent }) => payment_intent === stray.id)).toMatchObject([
      { amount: 6_430 },
    ]);
    expect(await statusOf(deps, basketId)).toBe('checking_out');
  });

  it('a dispute is announced once as order.disputed, and the tickets stay valid', async () => {
    const { deps, price, basketId, account } = await givenStripeBasket();
    await checkOutWith(deps, basketId);
    const object = {
      ...{ id: 'dp_1', payment_intent: intentOf(basketId).id, reason: 'fraudulent', status: 'needs_response' },
      ...{ amount: 6_430, currency: 'aud', created: deps.nowUnix },
    };
    const event = { id: 'evt_2', object: 'event', type: 'charge.dispute.created', account, data: { object } };
    for (let time = 0; time < 2; time += 1) await receive(deps, event);
    await expect(receive(deps, { ...event, account: 'acct_other' })).rejects.toThrow('resource_missing');
    const nowMs = (deps.nowUnix + 60) * 1000;
    const feed = { limit: 100, after: undefined, sinceMs: 0, untilMs: nowMs, nowMs };
    const { events } = await readFeed(table, deps.orgId, feed);
    const disputed = events.filter(({ body }) => body.includes('order.disputed'));
    expect(disputed.map(({ body }) => v.parse(webhookEvents['order.disputed'], JSON.parse(body)).data)).toMatchObject([
      { order: { order_id: basketId }, dispute: { dispute_id: 'dp_1', amount: 64.3, currency: 'AUD' } },
    ]);
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 3, sold: 2 });
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

  it('the secret of Stripe is its API key, or a JSON object that also has the secret of the webhook endpoint', () => {
    expect(parseStripeSecrets('sk_live_1\n')).toEqual({ apiKey: 'sk_live_1', webhookSecret: undefined });
    const both = JSON.stringify({ api_key: 'sk_live_1', webhook_secret: 'whsec_1' });
    expect(parseStripeSecrets(both)).toEqual({ apiKey: 'sk_live_1', webhookSecret: 'whsec_1' });
  });
});
