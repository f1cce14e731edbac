import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { updateOrganisation } from '../../../shared/data/organisations/organisation.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { checkoutProblem } from '../../../shared/http/handlers/problems/checkout-problem.ts';
import { callProvider } from '../../../shared/payments/payments.ts';
import type { Charge, KnownCharge, PaymentProvider } from '../../../shared/payments/provider.ts';
import { sandboxProvider } from '../../../shared/payments/sandbox.ts';
import { stripeProvider } from '../../../shared/payments/stripe.ts';
import { openStripeClient, type StripeAddress } from '../../../shared/payments/stripe-client.ts';
import { log } from '../../../shared/platform/log.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { checkOutWith, checkoutDepsOf, givenBasket, givenOnSale, statusOf, ticketsOf } from '../../support/baskets.ts';
import { StripeDouble } from '../../support/stripe-double.ts';
import { createTestTable } from '../../support/table.ts';

const double = new StripeDouble();
let table: Table;
let stripe: PaymentProvider;
let address: StripeAddress;

beforeAll(async () => {
  ({ table } = await createTestTable());
  address = await double.start();
  stripe = stripeProvider(await openStripeClient('sk_test_double', { ...address, busyPausesMs: [1] }), 'pk_test_1');
});
afterAll(() => double.stop());

const signal = new AbortController().signal;
let made = 0;

function aCharge(changes: Partial<Charge> = {}): Charge {
  made += 1;
  return {
    orgId: 'org_pay',
    account: 'acct_1',
    key: `${made}-1`,
    owner: { kind: 'basket', id: made },
    amountMinor: 6_430,
    currency: 'AUD',
    paymentMethod: 'pm_card_visa',
    returnUrl: null,
    presentation: { statementDescriptor: null, receiptEmail: null },
    customer: null,
    savesMethod: false,
    ...changes,
  };
}

async function prepared(provider: PaymentProvider, charge: Charge): Promise<KnownCharge> {
  const response = await provider.prepare(charge, signal);
  if (response.outcome !== 'prepared') throw new Error(response.outcome);
  return { ...charge, chargeId: response.payment.chargeId };
}

describe.each(['sandbox', 'stripe'] as const)('payment provider contract: %s', (name) => {
  const provider = (): PaymentProvider => (name === 'stripe' ? stripe : sandboxProvider(table));

  it('a payment provider moves money once for an idempotency key, however often the charge is prepared', async () => {
    const charge = aCharge();
    const [first, second] = [await prepared(provider(), charge), await prepared(provider(), charge)];
    expect(second.chargeId).toBe(first.chargeId);
    for (let time = 0; time < 3; time += 1) {
      expect(await provider().confirm(first, signal)).toEqual({
        outcome: 'paid',
        methodKind: 'card',
        method: 'pm_card_visa',
      });
    }
    expect(await provider().cancel(first, signal)).toMatchObject({ status: 'succeeded' });
  });

  it('a payment provider distinguishes an unknown payment method from a declined one', async () => {
    expect(await provider().prepare(aCharge({ paymentMethod: 'pm_made_up' }), signal)).toEqual({
      outcome: 'method_unknown',
      isGone: true,
    });
    const declined = await prepared(provider(), aCharge({ paymentMethod: 'pm_card_declined' }));
    for (let time = 0; time < 2; time += 1) {
      expect(await provider().confirm(declined, signal)).toMatchObject({ outcome: 'declined' });
    }
    expect(await provider().cancel(declined, signal)).toMatchObject({ status: 'failed' });
  });

  it('a payment that is cancelled stays unpaid, even when a confirmation arrives later', async () => {
    const charge = await prepared(provider(), aCharge());
    expect(await provider().cancel(charge, signal)).toMatchObject({ status: 'failed' });
    expect(await provider().confirm(charge, signal)).toMatchObject({ outcome: 'declined' });
    expect(await provider().cancel(charge, signal)).toMatchObject({ status: 'failed' });
  });

  it('a payment with a card that demands 3-D Secure waits for the buyer, and shows what it is for', async () => {
    const charge = await prepared(provider(), aCharge({ paymentMethod: 'pm_card_threeDSecure2Required' }));
    const returnUrl = 'https://shop.example.com/paid';
    const confirmed = await provider().confirm({ ...charge, returnUrl }, signal);
    expect(confirmed).toMatchObject({ outcome: 'action_required', payment: { status: 'requires_action' } });
    const found = await provider().retrieve(charge, signal);
    expect(found).toMatchObject({
      status: 'requires_action',
      amountMinor: 6_430,
      currency: 'AUD',
      orgId: 'org_pay',
      key: charge.key,
      clientSecret: expect.stringMatching(/./),
      nextAction: { type: 'redirect_to_url', url: expect.stringMatching(/./) },
    });
    expect(await provider().cancel(charge, signal)).toMatchObject({ status: 'failed' });
  });

  it('a payment without a method waits for the buyer, and is the same when it is prepared again', async () => {
    const charge = aCharge({ paymentMethod: null });
    const [first, second] = [await provider().prepare(charge, signal), await provider().prepare(charge, signal)];
    expect(first).toMatchObject({ outcome: 'prepared', payment: { clientSecret: expect.stringMatching(/./) } });
    expect(second).toEqual(first);
  });

  it('a refund is made once per idempotency key, and never exceeds the payment', async () => {
    const charge = await prepared(provider(), aCharge());
    const refund = (key: string, amountMinor: number) =>
      provider().refund(charge, { key, amountMinor, currency: 'AUD' }, signal);
    expect(await refund('early', 100)).toMatchObject({ outcome: 'refused' });
    await provider().confirm(charge, signal);
    for (let time = 0; time < 3; time += 1) {
      expect(await refund(`${charge.key}-r1`, 4_000)).toEqual({ outcome: 'refunded' });
    }
    expect(await refund(`${charge.key}-r2`, 2_431)).toMatchObject({ outcome: 'refused' });
    expect(await refund(`${charge.key}-r3`, 2_430)).toEqual({ outcome: 'refunded' });
  });
});

async function rejectAfter(afterMs: number): Promise<never> {
  await sleep(afterMs);
  throw new Error('It took too long.');
}

describe('Stripe as payment provider', () => {
  it('Stripe receives the account of the organisation, its currency and what the charge is for', async () => {
    const charge = await prepared(
      stripe,
      aCharge({ account: 'acct_club', key: '77-1', owner: { kind: 'basket', id: 77 } }),
    );
    expect(double.intents.find(({ id }) => id === charge.chargeId)).toMatchObject({
      account: 'acct_club',
      amount: 6_430,
      currency: 'aud',
      metadata: { gateline_org: 'org_pay', gateline_charge: '77-1', gateline_basket: '77', gateline_order: '77' },
    });
    await expect(stripe.cancel({ ...charge, account: 'acct_other' }, signal)).rejects.toThrow(
      'invalid: resource_missing',
    );
  });

  it('a payment that Stripe is still processing is checked again, not cancelled', async () => {
    const charge = await prepared(stripe, aCharge({ paymentMethod: 'pm_card_slow' }));
    expect(await stripe.confirm(charge, signal)).toEqual({ outcome: 'pending' });
    expect(await stripe.cancel(charge, signal)).toMatchObject({ status: 'processing' });
    for (const intent of double.intents) if (intent.id === charge.chargeId) intent.status = 'succeeded';
    expect(await stripe.cancel(charge, signal)).toMatchObject({ status: 'succeeded' });
  });

  it('a Stripe call whose connection broke is repeated once with the same idempotency key', async () => {
    const charge = await prepared(stripe, aCharge());
    double.failNext(/confirm/, 'refused');
    expect(await stripe.confirm(charge, signal)).toMatchObject({ outcome: 'paid', methodKind: 'card' });
  });

  it('a Stripe call that exceeds its time limit is unanswered', async () => {
    const charge = await prepared(stripe, aCharge());
    double.failNext(/confirm/, 'lost');
    expect(await callProvider(stripe, 100, (asked, ended) => asked.confirm(charge, ended))).toBe('unknown');
    expect(await stripe.cancel(charge, signal)).toMatchObject({ status: 'succeeded' });
  });

  it('a Stripe refund is found by its metadata when its idempotency key has expired', async () => {
    const charge = await prepared(stripe, aCharge());
    await stripe.confirm(charge, signal);
    await stripe.refund(charge, { key: `${charge.key}-old`, amountMinor: 100, currency: 'AUD' }, signal);
    const before = double.refunds.length;
    const withOtherKey = { ...charge, key: 'other' };
    expect(
      await stripe.refund(withOtherKey, { key: `${charge.key}-old`, amountMinor: 100, currency: 'AUD' }, signal),
    ).toEqual({
      outcome: 'refunded',
    });
    expect(double.refunds).toHaveLength(before);
  });

  it('a payment that Stripe refuses altogether is not retried, and the basket is open with its items', async () => {
    await givenOrganisation(table, 'org_small');
    await updateOrganisation(table, 'org_small', { paymentAccountId: 'acct_small' });
    const deps = checkoutDepsOf(table, 'org_small', { around: () => stripe });
    const belowMinimum = { priceMinor: 20, serviceFeeMinor: 0, serviceTaxMinor: 0 };
    const { price } = await givenOnSale(table, 'org_small', { ...belowMinimum, capacity: 3 });
    const { basketId } = await givenBasket(deps, price, 2);
    const logged = vi.spyOn(log, 'error');
    const refused = await checkOutWith(deps, basketId);
    expect(refused).toEqual({ outcome: 'provider_refused', code: 'amount_too_small' });
    expect(logged.mock.calls).toMatchObject([[expect.any(String), { provider_code: 'amount_too_small' }]]);
    logged.mockRestore();
    expect(await statusOf(deps, basketId)).toBe('open');
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 1, held: 2, sold: 0 });
    if (refused.outcome !== 'provider_refused') throw new Error(refused.outcome);
    expect(checkoutProblem(refused, deps.nowUnix)).toMatchObject({
      status: 402,
      details: [{ code: 'payment_refused' }],
    });
    expect(await stripe.prepare(aCharge({ account: 'acct_closed' }), signal)).toEqual({
      outcome: 'refused',
      code: 'account_invalid',
    });
  });

  it("a checkout that meets Stripe's rate limit opens the basket again with nothing charged, and can be repeated", async () => {
    await givenOrganisation(table, 'org_limited');
    await updateOrganisation(table, 'org_limited', { paymentAccountId: 'acct_limited' });
    const deps = checkoutDepsOf(table, 'org_limited', { around: () => stripe });
    const { price } = await givenOnSale(table, 'org_limited');
    const { basketId } = await givenBasket(deps, price, 2);
    for (const call of [/POST .*payment_intents$/, /confirm/]) {
      for (let refused = 0; refused < 2; refused += 1) double.failNext(call, 429);
      const unavailable = await checkOutWith(deps, basketId);
      expect(unavailable).toEqual({ outcome: 'provider_unavailable' });
      expect(await statusOf(deps, basketId)).toBe('open');
    }
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ held: 2, sold: 0 });
    expect((await checkOutWith(deps, basketId)).outcome).toBe('confirmed');
    const charged = double.intents.filter(({ metadata }) => metadata.gateline_org === 'org_limited');
    expect(charged.map(({ status }) => status).sort()).toEqual(['requires_confirmation', 'succeeded']);
  });

  it("a checkout whose confirmation may have arrived before Stripe's rate limit stays unknown", async () => {
    await givenOrganisation(table, 'org_unsure');
    await updateOrganisation(table, 'org_unsure', { paymentAccountId: 'acct_unsure' });
    const impatient = stripeProvider(await openStripeClient('sk_test_double', { ...address, timeout: 300 }));
    const deps = checkoutDepsOf(table, 'org_unsure', { around: () => impatient });
    const { price } = await givenOnSale(table, 'org_unsure');
    const { basketId } = await givenBasket(deps, price);
    double.failNext(/confirm/, 'lost');
    double.failNext(/confirm/, 429);
    expect((await checkOutWith(deps, basketId)).outcome).toBe('payment_unknown');
    deps.nowUnix += checkoutLeaseSeconds;
    await sweepBaskets(deps);
    expect(await statusOf(deps, basketId)).toBe('checked_out');
  });

  it('checkout with Stripe sells tickets once the organisation has an account, and the sweeper settles unanswered payments', async () => {
    await givenOrganisation(table, 'org_club');
    const deps = checkoutDepsOf(table, 'org_club', { around: () => stripe });
    const { price } = await givenOnSale(table, 'org_club');
    const [first, second] = [await givenBasket(deps, price), await givenBasket(deps, price)];
    expect(await checkOutWith(deps, first.basketId)).toMatchObject({ refusal: { reason: 'payment_account_missing' } });
    await updateOrganisation(table, 'org_club', { paymentAccountId: 'acct_club' });
    expect((await checkOutWith(deps, first.basketId, { paymentMethod: 'pm_card_declined' })).outcome).toBe('declined');
    expect((await checkOutWith(deps, first.basketId)).outcome).toBe('confirmed');
    double.failNext(/confirm/, 'lost');
    const shortTimeout = checkoutDepsOf(table, 'org_club', {
      around: () => ({
        ...stripe,
        confirm: (charge) => Promise.race([stripe.confirm(charge, signal), rejectAfter(100)]),
      }),
    });
    expect((await checkOutWith(shortTimeout, second.basketId)).outcome).toBe('payment_unknown');
    deps.nowUnix += checkoutLeaseSeconds;
    await sweepBaskets(deps);
    expect(await statusOf(deps, second.basketId)).toBe('checked_out');
    const keys = [`${first.basketId}-1`, `${first.basketId}-2`, `${second.basketId}-1`];
    const charged = double.intents.filter(({ metadata }) => keys.includes(metadata.gateline_charge ?? ''));
    expect(charged.map(({ status }) => status)).toEqual(['requires_payment_method', 'succeeded', 'succeeded']);
  });
});
