import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type StripeApi, stripeApi } from '../../shared/payments/stripe-api.ts';
import { type StripeAddress, type StripeCall, stripeVersion } from '../../shared/payments/stripe-transport.ts';
import { StripeDouble } from '../support/stripe-double.ts';

const double = new StripeDouble();
const signal = new AbortController().signal;
let address: StripeAddress;
let api: StripeApi;
let made = 0;

beforeAll(async () => {
  address = await double.start();
  api = stripeApi('sk_test_double', address, { tries: 2, tryMs: 400, pauseMs: 5 });
});
beforeEach(() => {
  double.requests.length = 0;
});
afterAll(() => double.stop());

const intent = {
  amount: 6_430,
  currency: 'aud',
  payment_method: 'pm_card_visa',
  allowed_payment_method_types: ['card'],
  metadata: { gateline_org: 'Größe & [1]', gateline_charge: '77-1' },
} satisfies Stripe.PaymentIntentCreateParams;

function creating(changes: Partial<typeof intent> = {}): StripeCall {
  made += 1;
  return {
    method: 'POST',
    path: '/v1/payment_intents',
    fields: { ...intent, ...changes },
    account: 'acct_1',
    idempotencyKey: `made-${made}`,
  };
}

async function givenIntent(method = 'pm_card_visa'): Promise<string> {
  await api(creating({ payment_method: method }), signal);
  double.requests.length = 0;
  return double.intents.at(-1)?.id ?? '';
}

describe('requests to Stripe', () => {
  it('requests to Stripe equal those of its own library: calls, fields, account, key and version', async () => {
    const library = new Stripe('sk_test_double', { ...address, telemetry: false });
    const options = { stripeAccount: 'acct_1', idempotencyKey: 'as-the-library' };
    const { id } = await library.paymentIntents.create(intent, options);
    await library.paymentIntents.retrieve(id, {}, { stripeAccount: 'acct_1' });
    await library.refunds.list({ payment_intent: id, limit: 100 }, { stripeAccount: 'acct_1' });
    await api({ ...creating(), idempotencyKey: 'as-the-library' }, signal);
    await api({ method: 'GET', path: `/v1/payment_intents/${id}`, account: 'acct_1' }, signal);
    const fields = { payment_intent: id, limit: 100 };
    await api({ method: 'GET', path: '/v1/refunds', fields, account: 'acct_1' }, signal);
    const requests = double.requests.map(({ call, fields: sent, headers }) => ({
      call,
      fields: sent,
      authorization: headers.authorization,
      account: headers['stripe-account'],
      key: headers['idempotency-key'],
      version: headers['stripe-version'],
    }));
    expect(requests).toHaveLength(6);
    expect(requests.slice(3)).toEqual(requests.slice(0, 3));
    expect(requests[0]?.fields).toContainEqual(['metadata[gateline_org]', 'Größe & [1]']);
    expect(Stripe.API_VERSION).toBe(stripeVersion);
  });

  it('requests to Stripe omit account and idempotency key where there is none', async () => {
    await api({ method: 'GET', path: '/v1/refunds', fields: { payment_intent: 'pi_0' }, account: null }, signal);
    expect(double.requests[0]?.headers).not.toHaveProperty('stripe-account');
    expect(double.requests[0]?.headers).not.toHaveProperty('idempotency-key');
  });
});

describe('responses of Stripe', () => {
  it('a Stripe response of success is done, with the created object', async () => {
    expect(await api(creating(), signal)).toMatchObject({ outcome: 'done', body: { object: 'payment_intent' } });
  });

  it("a Stripe refusal is declined, invalid or forbidden, with Stripe's own message", async () => {
    const path = `/v1/payment_intents/${await givenIntent('pm_card_declined')}/confirm`;
    expect(await api({ method: 'POST', path, account: 'acct_1' }, signal)).toEqual({
      outcome: 'declined',
      type: 'card_error',
      code: 'card_declined',
      message: 'Your card was declined.',
    });
    expect(await api(creating({ payment_method: 'made_up' }), signal)).toMatchObject({
      outcome: 'invalid',
      param: 'payment_method',
    });
    const unknown: StripeCall = { method: 'GET', path: '/v1/payment_intents/pi_none', account: 'acct_1' };
    expect(await api(unknown, signal)).toMatchObject({ outcome: 'invalid', code: 'resource_missing' });
    expect(await api({ ...creating(), account: 'acct_closed' }, signal)).toMatchObject({ outcome: 'forbidden' });
    // None of them is retried.
    expect(double.requests).toHaveLength(4);
  });

  it('a Stripe idempotency conflict or a wrong secret is an unknown outcome', async () => {
    const call = creating();
    await api(call, signal);
    await expect(api({ ...call, fields: { amount: 1 } }, signal)).rejects.toThrow('400 idempotency_error');
    await expect(stripeApi('sk_other', address)(call, signal)).rejects.toThrow('401');
  });
});

describe('retries of Stripe requests', () => {
  it.each(['refused', 'cut', 'lost', 'hangs', 409, 500] as const)(
    'a Stripe request that meets %s is retried once with the same key, and no more',
    async (fault) => {
      const [call, before] = [creating(), double.intents.length];
      double.failNext(/payment_intents/, fault);
      expect(await api(call, signal)).toMatchObject({ outcome: 'done' });
      expect(double.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(
        Array.from({ length: 2 }, () => call.idempotencyKey),
      );
      expect(double.intents).toHaveLength(before + 1);
      double.failNext(/payment_intents/, fault);
      double.failNext(/payment_intents/, fault);
      await expect(api(creating(), signal)).rejects.toThrow();
      expect(double.requests).toHaveLength(4);
    },
  );

  it.each([429, 'garbled'] as const)(
    'a Stripe request that meets %s is not retried, because that would not help',
    async (fault) => {
      double.failNext(/payment_intents/, fault);
      await expect(api(creating(), signal)).rejects.toThrow(/Stripe returned/);
      expect(double.requests).toHaveLength(1);
    },
  );

  it('a Stripe request is not retried after its caller has given up', async () => {
    double.failNext(/payment_intents/, 'hangs');
    const waiting = new AbortController();
    const asked = api(creating(), waiting.signal);
    await expect.poll(() => double.requests.length).toBe(1);
    waiting.abort();
    await expect(asked).rejects.toThrow();
    expect(double.requests).toHaveLength(1);
  });
});
