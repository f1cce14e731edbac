import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stripeProvider } from '../../shared/payments/stripe.ts';
import { openStripeClient, type StripeAddress } from '../../shared/payments/stripe-client.ts';
import { stripeClientWithKeyReload } from '../../shared/payments/stripe-key-reload.ts';
import { StripeDouble } from '../support/stripe-double.ts';

const double = new StripeDouble();
const minuteMs = 60_000;
let address: StripeAddress;
let nowMs = 0;
let reads = 0;
/** The content of the secret; an Error makes reading it fail. */
let secret: string | Error = '';

beforeAll(async () => {
  address = await double.start();
});
beforeEach(() => {
  [double.secretKey, double.requests.length, secret, nowMs, reads] = ['sk_old', 0, 'sk_old', 0, 0];
});
afterAll(() => double.stop());

const warmInstance = () =>
  stripeClientWithKeyReload({
    async readKey() {
      reads += 1;
      if (secret instanceof Error) throw secret;
      return secret;
    },
    clientOf: (key) => openStripeClient(key, address),
    clock: { nowMs: () => nowMs },
  });
const creating = (stripe: Stripe) =>
  stripe.paymentIntents.create(
    { amount: 6_430, currency: 'aud', payment_method: 'pm_card_visa' },
    { stripeAccount: 'acct_1' },
  );

describe('Stripe key', () => {
  it('the Stripe key is read once as long as Stripe accepts it', async () => {
    const api = await warmInstance();
    nowMs = 100 * minuteMs;
    for (const _ of [1, 2, 3]) expect(await api(creating)).toMatchObject({ outcome: 'done' });
    expect(reads).toBe(1);
  });

  it('a Stripe key of the other mode, which knows no payment of this one, leaves payments unknown, refuses refunds, and is not read again', async () => {
    const { retrieve, cancel, refund } = stripeProvider(await warmInstance());
    nowMs = 60 * minuteMs;
    const { signal } = new AbortController();
    const ofOtherMode = { orgId: 'org_a', account: 'acct_1', chargeId: 'pi_other_mode', key: '64' };
    const before = double.intents.length;
    await expect(retrieve(ofOtherMode, signal)).rejects.toThrow('resource_missing');
    await expect(cancel(ofOtherMode, signal)).rejects.toThrow('resource_missing');
    const wanted = { key: '64-refund-1', amountMinor: 6_430, currency: 'AUD' };
    expect(await refund(ofOtherMode, wanted, signal)).toMatchObject({ outcome: 'refused' });
    expect([reads, double.intents.length]).toEqual([1, before]);
  });

  it('a rolled Stripe key is read again by the first request that is refused, and every request succeeds', async () => {
    const api = await warmInstance();
    nowMs = 60 * minuteMs;
    [double.secretKey, secret] = ['sk_new', 'sk_new'];
    const before = double.intents.length;
    const responses = await Promise.all([1, 2, 3].map(() => api(creating)));
    for (const response of responses) expect(response).toMatchObject({ outcome: 'done' });
    expect(double.intents).toHaveLength(before + 3);
    expect(reads).toBe(2);
  });

  it('a wrong Stripe key is read at most once a minute, and each call is sent once', async () => {
    const api = await warmInstance();
    [double.secretKey, nowMs] = ['sk_new', 60 * minuteMs];
    for (const _ of [1, 2, 3]) await expect(api(creating)).rejects.toThrow('401');
    expect([reads, double.requests.length]).toEqual([2, 3]);
    [secret, nowMs] = ['sk_other', 61 * minuteMs];
    for (const _ of [1, 2, 3]) await expect(api(creating)).rejects.toThrow('401');
    // The first of them tried both keys.
    expect([reads, double.requests.length]).toEqual([3, 7]);
    [secret, nowMs] = ['sk_new', 62 * minuteMs];
    expect(await api(creating)).toMatchObject({ outcome: 'done' });
  });

  it('a Stripe key that cannot be read leaves the response as it is, and is read again a minute later', async () => {
    const api = await warmInstance();
    [double.secretKey, secret, nowMs] = ['sk_new', new Error('throttled'), 60 * minuteMs];
    await expect(api(creating)).rejects.toThrow('401');
    [secret, nowMs] = ['sk_new', 61 * minuteMs];
    expect(await api(creating)).toMatchObject({ outcome: 'done' });
  });
});
