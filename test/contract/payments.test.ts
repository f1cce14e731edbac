import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateOrganisation } from '../../shared/data/organisations/organisation.ts';
import { Payment } from '../../shared/operations/schemas/payment.ts';
import { formOf } from '../../tools/fixtures/contract/examples.ts';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import { givenOnSale } from '../support/baskets.ts';
import { type Service, type ServiceResponse, shareService } from '../support/service.ts';

const org = 'org_payments';
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const shop = 'https://shop.example.com';
let service: Service;
let key: string;
let priceId: number;

beforeAll(async () => {
  service = await shareService([org]);
  key = await service.newKey(org);
  ({
    price: { priceId },
  } = await givenOnSale(service.table, org));
  await givenStorefrontToken(service.table, org, { origins: [shop] });
  await updateOrganisation(service.table, org, { name: 'Harbour & <b>City</b>' });
});
afterAll(() => service.stop());

async function post(path: string, fields: Readonly<Record<string, unknown>>, headers = {}): Promise<ServiceResponse> {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return service.call(path, { method: 'POST', key, body: formOf(fields), headers: { ...form, ...headers } });
}

async function givenBasketId(): Promise<string> {
  const { id } = v.parse(v.object({ id: v.string() }), (await post('/baskets', { org })).body);
  await post(`/baskets/${id}/items`, { price_id: priceId, quantity: 1 });
  return id;
}

const paymentOf = ({ body }: ServiceResponse) => v.parse(v.object({ payment: Payment }), body).payment;
const pageOf = (response: ServiceResponse): string => paymentOf(response).next_action?.redirect_to_url?.url ?? '';

function decide(page: string, decision: string): Promise<Response> {
  return fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ decision }) });
}

describe('payments that need the buyer', () => {
  it('a buyer pays a prepared payment on the page of the sandbox, returns to the shop, and gets the order', async () => {
    const id = await givenBasketId();
    const { expires_at: opened } = v.parse(
      v.object({ expires_at: v.number() }),
      (await service.call(`/baskets/${id}`, { key })).body,
    );
    service.cloud.clock.advance(60);
    const prepared = await post(`/v1/baskets/${id}/payment`, { customer, return_url: `${shop}/paid?basket=${id}` });
    expect(prepared.status, JSON.stringify(prepared.body)).toBe(200);
    expect(paymentOf(prepared)).toMatchObject({ provider: 'sandbox', status: 'requires_action', account: null });
    const { body: waiting } = await service.call(`/baskets/${id}`, { key });
    expect(v.parse(v.object({ expires_at: v.number() }), waiting).expires_at).toBeGreaterThan(opened);
    const page = pageOf(prepared);
    expect(page.startsWith(`${service.url}/v1/sandbox/payments/`)).toBe(true);

    const shown = await fetch(page);
    expect(shown.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    const html = await shown.text();
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(shown.headers.get('Content-Security-Policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self' ${shop}; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(html.match(/<form method="post">/g)).toHaveLength(2);
    expect(html.match(/<style/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script|style=|url\(|@import|http/);
    // Whose bank it is, what is paid to whom, and that nothing is.
    expect(html).toContain('This page plays the buyer’s bank');
    expect(html).toContain('32.15 AUD');
    expect(html).toContain('<dd>Harbour &amp; &lt;b&gt;City&lt;/b&gt;</dd>');
    expect(html).toContain('no money moves');

    const decided = await decide(page, 'approve');
    expect(decided.status).toBe(303);
    const location = new URL(decided.headers.get('Location') ?? '');
    expect(location.href.startsWith(`${shop}/paid?basket=${id}&`)).toBe(true);
    expect(location.searchParams.get('redirect_status')).toBe('succeeded');
    expect(await (await fetch(page)).text()).toContain('was approved');

    const order = await post(`/baskets/${id}/checkout`, { customer });
    expect(order.status, JSON.stringify(order.body)).toBe(201);
    expect(order.body).toMatchObject({ status: 'confirmed', total: 32.15 });

    // The buyer disputes it, twice: one event.
    expect(await (await decide(page, 'dispute')).text()).toContain('The bank has the dispute');
    await decide(page, 'dispute');
    const events = async () => {
      const { body } = await service.call('/v1/webhook_events', { key });
      const { data } = v.parse(v.object({ data: v.array(v.looseObject({ type: v.string() })) }), body);
      return data.filter(({ type }) => type === 'order.disputed');
    };
    await expect.poll(events, { timeout: 30_000 }).toHaveLength(1);
    expect(await events()).toMatchObject([
      { data: { order: { order_id: Number(id) }, dispute: { reason: 'fraudulent', amount: 32.15 } } },
    ]);
  });

  it('a payment with the card without refunds is paid, and its refund is refused', async () => {
    const id = await givenBasketId();
    const order = await post(`/baskets/${id}/checkout`, { customer, payment_method: 'pm_card_refundFail' });
    expect(order.status).toBe(201);
    const refunds = `/v1/orders/${id}/refunds`;
    expect((await post(refunds, {})).status).toBe(201);
    const statuses = async () => (await service.call(refunds, { key })).body;
    await expect.poll(statuses, { timeout: 30_000 }).toMatchObject({ data: [{ status: 'failed' }] });
    expect((await service.call(`/v1/orders/${id}`, { key })).body).toMatchObject({ order_status: 'confirmed' });
  });

  it('a checkout with a card that demands 3-D Secure is a 402 with the payment, and completes with the same Idempotency-Key', async () => {
    const id = await givenBasketId();
    const request = { customer, payment_method: 'pm_card_threeDSecure2Required', return_url: `${shop}/paid` };
    const checkOut = () => post(`/baskets/${id}/checkout`, request, { 'Idempotency-Key': `checkout-${id}` });
    const demanded = await checkOut();
    expect(demanded.status).toBe(402);
    expect(demanded.body).toMatchObject({ error: { type: 'payment_error', code: 'payment_action_required' } });
    expect(paymentOf(demanded).status).toBe('requires_action');
    await decide(pageOf(demanded), 'approve');
    const order = await checkOut();
    expect(order.status, JSON.stringify(order.body)).toBe(201);
    expect((await checkOut()).body).toEqual(order.body);
  });

  it('a payment that fails on the page is a 402, and the basket is open again', async () => {
    const id = await givenBasketId();
    const page = pageOf(await post(`/baskets/${id}/payment`, { customer }));
    expect((await decide(page, 'fail')).status).toBe(200);
    expect(await post(`/baskets/${id}/checkout`, { customer })).toMatchObject({
      status: 402,
      body: { error: { code: 'card_declined' } },
    });
    expect(await service.call(`/baskets/${id}`, { key })).toMatchObject({ body: { status: 'open' } });
  });

  it('adding an item cancels a prepared payment, and the next one has the new total', async () => {
    const id = await givenBasketId();
    const first = paymentOf(await post(`/baskets/${id}/payment`, { customer }));
    expect((await post(`/baskets/${id}/items`, { price_id: priceId, quantity: 1 })).body).toMatchObject({
      status: 'open',
      total: 64.3,
    });
    const second = paymentOf(await post(`/baskets/${id}/payment`, { customer }));
    expect([first.amount, second.amount]).toEqual([32.15, 64.3]);
    expect(second.client_secret).not.toBe(first.client_secret);
    expect((await service.call(`/baskets/${id}`, { method: 'DELETE', key })).body).toMatchObject({
      status: 'cancelled',
    });
  });

  it('return_url must be on an allowed origin of a storefront token', async () => {
    const id = await givenBasketId();
    for (const return_url of ['https://evil.example.com/', 'https://shop.example.com.evil.example/']) {
      expect(await post(`/baskets/${id}/payment`, { customer, return_url })).toMatchObject({
        status: 400,
        body: { error: { code: 'parameter_invalid', param: 'return_url' } },
      });
    }
    expect(await service.call(`/baskets/${id}`, { key })).toMatchObject({ body: { status: 'open' } });
  });

  it('the page of the sandbox has no payment for any other token', async () => {
    const page = pageOf(await post(`/baskets/${await givenBasketId()}/payment`, { customer }));
    for (const wrong of [`${page}x`, page.replace(/~[^~]+$/, '~'), page.replace(org, 'org_other'), `${page}~1`]) {
      expect((await fetch(wrong)).status, wrong).toBe(404);
      expect((await decide(wrong, 'approve')).status, wrong).toBe(404);
    }
  });
});
