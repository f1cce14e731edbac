import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MethodToSave, PaymentProvider } from '../../../shared/payments/provider.ts';
import { stripeProvider } from '../../../shared/payments/stripe.ts';
import { openStripeClient } from '../../../shared/payments/stripe-client.ts';
import { StripeDouble } from '../../support/stripe-double.ts';

const double = new StripeDouble();
let stripe: PaymentProvider;
beforeAll(async () => {
  stripe = stripeProvider(await openStripeClient('sk_test_double', await double.start()));
});
afterAll(() => double.stop());
beforeEach(() => {
  double.requests.length = 0;
});

const signal = new AbortController().signal;
const known = { orgId: 'org_pay', account: 'acct_1' };
const returnUrl = 'https://club.example.com/card';
let made = 0;

const setUp = (changes: Partial<MethodToSave>) => {
  const wanted = {
    ...known,
    key: `setup-${++made}`,
    customer: 'cus_1',
    paymentMethod: 'pm_card_visa',
    returnUrl: null,
  };
  return stripe.setUp({ ...wanted, ...changes }, signal);
};

async function setupOf(changes: Partial<MethodToSave>) {
  const done = await setUp(changes);
  if (done.outcome !== 'set_up') throw new Error(done.outcome);
  return done.setup;
}

const retrieve = (setupId: string, account = known.account) =>
  stripe.retrieveSetup({ ...known, account, setupId }, signal);

describe('a card that is saved at Stripe', () => {
  const cardOf = (paymentMethod: string, account = known.account) =>
    stripe.describeCard({ account, paymentMethod }, signal);

  it('is known by its brand, last digits and month, to the account that has it', async () => {
    await setupOf({ paymentMethod: 'pm_card_mastercard' });
    expect(await cardOf('pm_card_mastercard')).toEqual({ brand: 'mastercard', last4: '4444', expires: '2031-04' });
    expect(double.requests.at(-1)).toMatchObject({
      call: 'GET /v1/payment_methods/pm_card_mastercard',
      headers: { 'stripe-account': 'acct_1' },
    });
    expect(await cardOf('pm_card_mastercard', 'acct_2')).toBeNull();
  });

  it('is not described if it is none, or if the key may not read it', async () => {
    await setupOf({ paymentMethod: 'pm_card_none' });
    expect(await cardOf('pm_card_none')).toBeNull();
    double.failNext(/payment_methods/, {
      status: 403,
      body: { error: { type: 'invalid_request_error', message: 'no' } },
    });
    expect(await cardOf('pm_card_none')).toBeNull();
  });
});

describe('saving a card at Stripe', () => {
  it('that needs nobody succeeds, once for each key', async () => {
    const setup = await setupOf({ key: 'renewal-5-1' });
    expect(setup).toMatchObject({ status: 'succeeded', method: 'pm_card_visa', nextAction: null });
    expect(await setupOf({ key: 'renewal-5-1' })).toEqual(setup);
    expect((await setupOf({ key: 'renewal-5-2' })).setupId).not.toBe(setup.setupId);
    expect(await retrieve(setup.setupId)).toEqual(setup);
    const [request] = double.requests;
    expect(request).toMatchObject({ call: 'POST /v1/setup_intents', headers: { 'stripe-account': 'acct_1' } });
    expect(Object.fromEntries(request?.fields ?? [])).toEqual({
      customer: 'cus_1',
      usage: 'off_session',
      payment_method: 'pm_card_visa',
      confirm: 'true',
      'allowed_payment_method_types[0]': 'card',
      'metadata[gateline_org]': 'org_pay',
      'metadata[gateline_setup]': 'renewal-5-1',
    });
  });

  it('that its bank authenticates waits for the owner, and is saved then', async () => {
    const paymentMethod = 'pm_card_threeDSecure2Required';
    const setup = await setupOf({ paymentMethod, returnUrl });
    expect(setup).toMatchObject({
      status: 'requires_action',
      clientSecret: expect.stringContaining('_secret_'),
      nextAction: { type: 'redirect_to_url', url: expect.stringContaining(setup.setupId), returnUrl },
    });
    expect(await retrieve(setup.setupId)).toEqual(setup);
    double.setups.approve(setup.setupId, paymentMethod);
    expect(await retrieve(setup.setupId)).toMatchObject({
      status: 'succeeded',
      method: paymentMethod,
      nextAction: null,
    });
  });

  it('that the owner chooses on the page is not confirmed before', async () => {
    const setup = await setupOf({ paymentMethod: null, returnUrl });
    expect(setup).toMatchObject({ status: 'requires_payment_method', method: null });
    const names = double.requests[0]?.fields.map(([name]) => name);
    for (const name of ['confirm', 'payment_method', 'return_url']) expect(names).not.toContain(name);
    double.setups.approve(setup.setupId, 'pm_card_visa');
    expect(await retrieve(setup.setupId)).toMatchObject({ status: 'succeeded', method: 'pm_card_visa' });
  });

  it('that is declined, unknown or on a closed account is not saved', async () => {
    expect(await setUp({ paymentMethod: 'pm_card_chargeDeclined' })).toEqual({
      outcome: 'declined',
      message: 'Your card was declined.',
      code: 'generic_decline',
    });
    expect(await setUp({ paymentMethod: 'pm_unknown' })).toEqual({ outcome: 'method_unknown', isGone: true });
    expect(await setUp({ account: 'acct_closed' })).toEqual({ outcome: 'refused', code: 'account_invalid' });
  });

  it('is not seen by another account', async () => {
    const { setupId } = await setupOf({});
    await expect(retrieve(setupId, 'acct_2')).rejects.toThrow('resource_missing');
  });
});
