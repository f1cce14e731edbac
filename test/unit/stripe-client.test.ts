import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStripeClient, type StripeAddress, type StripeClient } from '../../shared/payments/stripe-client.ts';
import { StripeDouble } from '../support/stripe-double.ts';

const double = new StripeDouble();
let address: StripeAddress;
let client: StripeClient;
/** It gives up soon, for a response that never comes. The other one waits as long as a busy machine needs. */
let impatient: StripeClient;
let made = 0;
const busyPausesMs = [1, 1, 1];

beforeAll(async () => {
  address = await double.start();
  client = await openStripeClient('sk_test_double', { ...address, busyPausesMs });
  impatient = await openStripeClient('sk_test_double', { ...address, timeout: 1_000, busyPausesMs });
});
beforeEach(() => {
  double.requests.length = 0;
});
afterAll(() => double.stop());

const account = { stripeAccount: 'acct_1' };

function creating(changes: Partial<Stripe.PaymentIntentCreateParams> = {}, idempotencyKey?: string) {
  made += 1;
  const key = idempotencyKey ?? `made-${made}`;
  const fields = { amount: 6_430, currency: 'aud', payment_method: 'pm_card_visa', ...changes };
  return (stripe: Stripe) => stripe.paymentIntents.create(fields, { ...account, idempotencyKey: key });
}

async function givenIntent(method = 'pm_card_visa'): Promise<string> {
  await client(creating({ payment_method: method }));
  double.requests.length = 0;
  return double.intents.at(-1)?.id ?? '';
}

describe('results of Stripe calls', () => {
  it('a Stripe call that succeeds is done, with the created object', async () => {
    expect(await client(creating())).toMatchObject({ outcome: 'done', body: { object: 'payment_intent' } });
    expect(double.requests[0]?.headers).toMatchObject({ 'stripe-account': 'acct_1' });
  });

  it("a Stripe refusal is declined, invalid or forbidden, with Stripe's own message", async () => {
    const id = await givenIntent('pm_card_declined');
    expect(await client((stripe) => stripe.paymentIntents.confirm(id, {}, account))).toEqual({
      outcome: 'declined',
      code: 'card_declined',
      message: 'Your card was declined.',
    });
    expect(await client(creating({ payment_method: 'made_up' }))).toMatchObject({
      outcome: 'invalid',
      param: 'payment_method',
    });
    expect(await client((stripe) => stripe.paymentIntents.retrieve('pi_none', {}, account))).toMatchObject({
      outcome: 'invalid',
      code: 'resource_missing',
    });
    const closed = (stripe: Stripe) =>
      stripe.paymentIntents.create(
        { amount: 6_430, currency: 'aud', payment_method: 'pm_card_visa' },
        { stripeAccount: 'acct_closed' },
      );
    expect(await client(closed)).toMatchObject({ outcome: 'forbidden' });
    // None of them is retried.
    expect(double.requests).toHaveLength(4);
  });

  it('a Stripe idempotency conflict or a wrong secret is an unknown outcome', async () => {
    await client(creating({}, 'same-key'));
    await expect(client(creating({ amount: 1_000 }, 'same-key'))).rejects.toThrow('400 idempotency_error');
    const other = await openStripeClient('sk_other', address);
    await expect(other(creating())).rejects.toThrow('401');
  });
});

describe('retries of Stripe calls', () => {
  it.each(['refused', 'lost', 'hangs', 409, 500] as const)(
    'a Stripe call that meets %s is retried once with the same key, and no more',
    async (fault) => {
      const [call, before] = [creating({}, `retried-${fault}`), double.intents.length];
      const sender = fault === 'hangs' || fault === 'lost' ? impatient : client;
      double.failNext(/payment_intents/, fault);
      expect(await sender(call)).toMatchObject({ outcome: 'done' });
      expect(double.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(
        Array.from({ length: 2 }, () => `retried-${fault}`),
      );
      expect(double.intents).toHaveLength(before + 1);
      double.failNext(/payment_intents/, fault);
      double.failNext(/payment_intents/, fault);
      await expect(sender(creating())).rejects.toThrow();
      expect(double.requests).toHaveLength(4);
    },
  );

  it('a Stripe call whose response is cut may fail, and its repeat with the same key charges once', async () => {
    const [call, before] = [creating({}, 'repeated-cut'), double.intents.length];
    double.failNext(/payment_intents/, 'cut');
    await client(call).catch(() => undefined);
    expect(await client(call)).toMatchObject({ outcome: 'done' });
    expect(double.intents).toHaveLength(before + 1);
  });

  it('a Stripe call that meets a garbled response is not retried, because that would not help', async () => {
    double.failNext(/payment_intents/, 'garbled');
    await expect(client(creating())).rejects.toThrow();
    expect(double.requests).toHaveLength(1);
  });

  it('a Stripe call that meets the rate limit is repeated with the same key, and was not processed if it meets it to the end', async () => {
    const [call, before] = [creating({}, 'limited'), double.intents.length];
    for (const _pause of busyPausesMs) double.failNext(/payment_intents/, 429);
    expect(await client(call)).toMatchObject({ outcome: 'done' });
    expect(double.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array.from({ length: busyPausesMs.length + 1 }, () => 'limited'),
    );
    expect(double.intents).toHaveLength(before + 1);
    for (const _refused of [0, ...busyPausesMs]) double.failNext(/payment_intents/, 429);
    expect(await client(creating())).toMatchObject({ outcome: 'busy' });
    expect(double.intents).toHaveLength(before + 1);
  });

  it('a Stripe call that meets the rate limit after a lost response may have been processed', async () => {
    const before = double.intents.length;
    double.failNext(/payment_intents/, 'lost');
    double.failNext(/payment_intents/, 429);
    await expect(impatient(creating())).rejects.toThrow('Stripe returned 429');
    expect(double.intents).toHaveLength(before + 1);
  });
});
