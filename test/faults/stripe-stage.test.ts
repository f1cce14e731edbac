import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { updateOrganisation } from '../../shared/data/organisations/organisation.ts';
import { Payment } from '../../shared/operations/schemas/payment.ts';
import { givenStorefrontToken, shopOrigin } from '../../tools/fixtures/storefront.ts';
import type { Intent } from '../../tools/fixtures/stripe-intents.ts';
import { givenOnSale } from '../support/baskets.ts';
import { throughCdn } from '../support/cdn.ts';
import { intentsOfBasket } from '../support/payment-worlds.ts';
import { loadPaymentsPage, stubStripeComponent } from '../support/payments-page.ts';
import { type Service, startService } from '../support/service.ts';
import { StripeDouble } from '../support/stripe-double.ts';
import { disputeEvent, intentEvent, signed, webhookSecret } from '../support/stripe-events.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { givenEndpoint, post } from '../support/webhooks/service-fixture.ts';
import { verifySignature } from '../support/webhooks/verify-signature.ts';

const orgId = 'org_stripeclub';
const account = 'acct_club';
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const double = new StripeDouble();
let service: Service;
let receiver: Receiver;
let key: string;
let priceId: number;

beforeAll(async () => {
  const { host, port } = await double.start();
  const variables = { STRIPE_URL: `http://${host}:${port}` };
  service = await startService([orgId], { stack: 'stripe', schedules: 'off', variables });
  await storeSecret('StripeKey', `${double.secretKey}\n`);
  await storeSecret('StripeWebhookSecret', webhookSecret);
  key = await service.newKey(orgId);
  await updateOrganisation(service.table, orgId, { paymentAccountId: account });
  ({
    price: { priceId },
  } = await givenOnSale(service.table, orgId));
  receiver = await startReceiver();
});
afterAll(async () => {
  await service.stop();
  await Promise.all([receiver.stop(), double.stop()]);
});

/** As an operator stores it: `aws secretsmanager put-secret-value`. */
async function storeSecret(name: string, value: string): Promise<void> {
  const { endpoints, operator, template } = service.cloud;
  const secret = template.ofType('AWS::SecretsManager::Secret').find(({ logicalId }) => logicalId.includes(name));
  const { region, ...credentials } = operator;
  const client = new SecretsManagerClient({ region, credentials, endpoint: endpoints.secretsManager });
  await client.send(new PutSecretValueCommand({ SecretId: secret?.ref, SecretString: value }));
  client.destroy();
}

const nowUnix = (): number => Math.floor(service.cloud.clock.now() / 1000);
const call = (path: string, fields: Record<string, unknown>) => post(service, { orgId, key }, path, fields);

/** A basket whose payment is prepared, and the payment at Stripe. */
async function givenPreparedPayment(): Promise<{ id: string; intent: Intent }> {
  const { id } = v.parse(v.object({ id: v.string() }), (await call('/v1/baskets', { org: orgId })).body);
  await call(`/v1/baskets/${id}/items`, { price_id: priceId, quantity: 2 });
  const prepared = await call(`/v1/baskets/${id}/payment`, { customer });
  const { payment } = v.parse(v.object({ payment: Payment }), prepared.body);
  const [intent] = intentsOfBasket(double, orgId, Number(id));
  if (intent === undefined) throw new Error('Stripe has no payment of the basket.');
  expect(payment).toMatchObject({
    provider: 'stripe',
    status: 'requires_payment_method',
    amount: 64.3,
    currency: 'AUD',
    account,
    publishable_key: 'pk_test_1',
    client_secret: `${intent.id}_secret_double`,
    next_action: null,
  });
  return { id, intent };
}

async function send({ body, signature }: { body: string; signature: string | undefined }): Promise<[number, string]> {
  const headers = {
    'Content-Type': 'application/json',
    ...(signature !== undefined && { 'Stripe-Signature': signature }),
  };
  const response = await fetch(`${service.url}/v1/stripe/events`, { method: 'POST', headers, body });
  return [response.status, await response.text()];
}

const basketOf = async (id: string) => (await service.call(`/v1/baskets/${id}`, { key })).body;

describe("Stripe's events at /v1/stripe/events", () => {
  it('an event that the payment has succeeded makes the order at once, and a repeated one makes no other', async () => {
    const { id, intent } = await givenPreparedPayment();
    double.actAsBuyer(intent.id, 'pay', 'ideal');
    expect(await basketOf(id)).toMatchObject({ status: 'checking_out' });
    const event = signed(nowUnix(), intentEvent(intent));
    expect(await send(event)).toEqual([200, 'received']);
    const ordered = await basketOf(id);
    expect(ordered).toMatchObject({ status: 'checked_out', order: { status: 'confirmed', tickets: [{}, {}] } });
    expect(await send(event)).toEqual([200, 'received']);
    expect(await basketOf(id)).toEqual(ordered);
    expect(await call(`/v1/baskets/${id}/checkout`, { customer })).toMatchObject({
      status: 201,
      body: { total: 64.3 },
    });
    expect(double.refunds).toEqual([]);
  });

  it('an event with a wrong, missing, foreign or old signature is refused, and Stripe is not asked', async () => {
    const { id, intent } = await givenPreparedPayment();
    double.actAsBuyer(intent.id, 'pay');
    const event = intentEvent(intent);
    const { body, signature } = signed(nowUnix(), event);
    const asked = double.requests.length;
    const refused = [400, 'The signature is invalid or too old.'];
    expect(await send({ body, signature: undefined })).toEqual(refused);
    expect(await send({ body, signature: '' })).toEqual(refused);
    expect(await send({ body: `${body} `, signature })).toEqual(refused);
    expect(await send(signed(nowUnix(), event, 'whsec_other'))).toEqual(refused);
    expect(await send(signed(nowUnix() - 301, event))).toEqual(refused);
    // A recorded request is refused five minutes later. Stripe signs each attempt again.
    service.cloud.clock.advance(301);
    expect(await send({ body, signature })).toEqual(refused);
    expect(double.requests).toHaveLength(asked);
    expect(await basketOf(id)).toMatchObject({ status: 'checking_out' });
    expect(await send(signed(nowUnix(), event))).toEqual([200, 'received']);
    expect(await basketOf(id)).toMatchObject({ status: 'checked_out' });
  });

  it('a signing secret that was rolled is accepted from the first event on', async () => {
    const { id, intent } = await givenPreparedPayment();
    double.actAsBuyer(intent.id, 'pay');
    service.cloud.clock.advance(60);
    await storeSecret('StripeWebhookSecret', 'whsec_rolled');
    expect(await send(signed(nowUnix(), intentEvent(intent), 'whsec_rolled'))).toEqual([200, 'received']);
    expect(await basketOf(id)).toMatchObject({ status: 'checked_out' });
    await storeSecret('StripeWebhookSecret', webhookSecret);
    service.cloud.clock.advance(60);
  });

  it('an event that the service cannot handle now is answered with 500, so that Stripe sends it again', async () => {
    const { id, intent } = await givenPreparedPayment();
    double.actAsBuyer(intent.id, 'pay');
    const event = disputeEvent(intent, nowUnix());
    for (let attempt = 0; attempt < 2; attempt += 1) double.failNext(/GET .*payment_intents/, 500);
    expect(await send(signed(nowUnix(), event))).toEqual([500, 'The service failed.']);
    expect(await send(signed(nowUnix(), intentEvent(intent)))).toEqual([200, 'received']);
    expect(await basketOf(id)).toMatchObject({ status: 'checked_out' });
  });

  it('a dispute is announced once as order.disputed, and the tickets stay valid', async () => {
    const { secret } = await givenEndpoint(service, { orgId, key }, { url: receiver.url, types: ['order.disputed'] });
    const { id, intent } = await givenPreparedPayment();
    double.actAsBuyer(intent.id, 'pay', 'apple_pay');
    await send(signed(nowUnix(), intentEvent(intent)));
    const before = await basketOf(id);
    const event = disputeEvent(intent, nowUnix());
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await send(signed(nowUnix(), event))).toEqual([200, 'received']);
    await expect.poll(() => receiver.arrivals.length, { timeout: 30_000 }).toBe(1);
    const [arrival] = receiver.arrivals.map((one) => verifySignature(one, secret));
    expect(arrival).toMatchObject({
      type: 'order.disputed',
      data: {
        order: { order_id: Number(id), order_status: 'confirmed', payment_method: 'apple_pay' },
        dispute: { dispute_id: `dp_${intent.id}`, amount: 64.3, currency: 'AUD', reason: 'fraudulent' },
      },
    });
    expect(await basketOf(id)).toEqual(before);
  });

  it('the page of the sandbox does not exist on a stage with Stripe', async () => {
    const response = await fetch(`${service.url}/v1/sandbox/payments/${orgId}~sbx_1~secret`);
    expect(response.status).toBe(404);
  });
});

describe('the code of docs/payments.md', () => {
  afterEach(() => vi.unstubAllGlobals());

  it("takes a payment with Stripe's component, with a storefront token, from an empty basket to the order", async () => {
    const page = await loadPaymentsPage();
    const { text } = await givenStorefrontToken(service.table, orgId);
    const api = page.gateline(service.url, text);
    const basket = await page.openBasket(api, { org: orgId, priceId, quantity: 2 });
    const returnUrl = `${shopOrigin}/paid`;
    const payment = await page.preparePayment(api, basket, { customer, returnUrl });
    await expect(page.finish(api, basket, customer)).rejects.toThrow('payment_action_required');
    stubStripeComponent((confirmation) => {
      expect(confirmation).toMatchObject({ publishableKey: 'pk_test_1', stripeAccount: account, returnUrl });
      double.actAsBuyer(confirmation.clientSecret.replace('_secret_double', ''), 'pay', 'google_pay');
    });
    await page.pay(payment, returnUrl);
    expect(await page.finish(api, basket, customer)).toMatchObject({ status: 'confirmed', total: 64.3 });
  });
});

describe('a stage behind a CDN', () => {
  it('clients are counted by the address that the CDN sends with its secret, and by no other header', async () => {
    const { text } = await givenStorefrontToken(service.table, orgId);
    const remaining = async (headers: Record<string, string>) => {
      const response = await service.call('/v1/organisation', {
        key: text,
        headers: { Origin: shopOrigin, ...headers },
      });
      return Number(response.headers.get('X-RateLimit-Remaining'));
    };
    service.cloud.clock.advance(61 - (nowUnix() % 60));
    expect(await remaining(throughCdn('203.0.113.1:1'))).toBe(599);
    expect(await remaining(throughCdn('203.0.113.2:1'))).toBe(599);
    expect(await remaining(throughCdn('203.0.113.1:2'))).toBe(598);
    expect(await remaining(throughCdn('203.0.113.3:1', 'guessed'))).toBe(599);
    expect(await remaining({ 'CloudFront-Viewer-Address': '203.0.113.4:1', 'X-Forwarded-For': '203.0.113.4' })).toBe(
      598,
    );
    expect(await remaining({})).toBe(597);
  });
});
