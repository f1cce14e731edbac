import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { givenStorefrontToken, shopOrigin } from '../../tools/fixtures/storefront.ts';
import { givenOnSale } from '../support/baskets.ts';
import { BrowserClient } from '../support/browser-client.ts';
import { loadPaymentsPage } from '../support/payments-page.ts';
import { type Service, shareService } from '../support/service.ts';
import { longTest } from '../support/thorough.ts';

const org = 'org_simple';
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
let service: Service;

beforeAll(async () => {
  service = await shareService([org]);
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => service.stop());

/** The part of the sample shop that calls the API. The shop has a type check of its own, with the types of browsers. */
const examples = new URL('../../examples/', import.meta.url);
const parts = ['site/browser/state/config', 'shop/browser/state/api', 'shop/browser/state/basket'];
const Shop = v.object({
  loadConfig: v.function(),
  call: v.function(),
  addItem: v.function(),
  preparePayment: v.function(),
  awaitPayment: v.function(),
  boughtOrder: v.function(),
});

const Payment = v.object({ next_action: v.object({ redirect_to_url: v.object({ url: v.string() }) }) });
const approveInSandbox = (payment: unknown, send: typeof fetch): Promise<Response> => {
  const { url } = v.parse(Payment, payment).next_action.redirect_to_url;
  return send(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ decision: 'approve' }) });
};

/** Opens the shop in a browser: its storage, its address, and a fetch that asks before it sends. */
async function visitShop(browser: BrowserClient): Promise<v.InferOutput<typeof Shop>> {
  const { text: storefrontToken } = await givenStorefrontToken(service.table, org);
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
  vi.stubGlobal('location', { origin: shopOrigin });
  const config = { apiUrl: service.url, orgId: org, storefrontToken, nowMs: 0 };
  // The configuration is of the page's own origin.
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) =>
    url === '/config.json' ? Response.json(config) : browser.fetch(url, init),
  );
  const modules = await Promise.all(parts.map((name) => import(`${examples}${name}.ts`)));
  return v.parse(Shop, Object.assign({}, ...modules.map((one) => ({ ...one }))));
}

const catalogue = (eventId: number): readonly string[] =>
  ['organisation', 'events', `events/${eventId}`, `events/${eventId}/prices`].map((path) => `/v1/${path}`);

const preflightsOf = ({ sent }: BrowserClient): readonly string[] => sent.filter((line) => line.startsWith('OPTIONS'));

describe('requests of a purchase in a browser, from the catalogue to the order', () => {
  longTest('with tokens in headers: 16, of which 8 are preflight requests', async () => {
    const {
      event: { eventId },
      price,
    } = await givenOnSale(service.table, org);
    const { text } = await givenStorefrontToken(service.table, org);
    const browser = new BrowserClient(shopOrigin);
    const realFetch = fetch;
    vi.stubGlobal('fetch', browser.fetch);
    const page = await loadPaymentsPage();
    const call = page.gateline(service.url, text);
    for (const path of catalogue(eventId)) await v.parse(v.function(), call)('GET', path);
    const basket = await page.openBasket(call, { org, priceId: price.priceId, quantity: 2 });
    const payment = await page.preparePayment(call, basket, { customer, returnUrl: `${shopOrigin}/payment` });
    await approveInSandbox(payment, realFetch);
    expect(await page.finish(call, basket, customer)).toMatchObject({ status: 'confirmed' });
    expect([browser.sent.length, preflightsOf(browser).length]).toEqual([16, 8]);
  });

  it('in the sample shop, with simple forms: 12, of which 4 are preflight requests, those of the catalogue', async () => {
    const {
      event: { eventId },
      price,
    } = await givenOnSale(service.table, org);
    const browser = new BrowserClient(shopOrigin);
    const realFetch = fetch;
    const shop = await visitShop(browser);
    await shop.loadConfig();
    for (const path of catalogue(eventId)) await shop.call('GET', path);
    await shop.addItem({ price_id: price.priceId, quantity: 2 });
    const payment = await shop.preparePayment(customer);
    await approveInSandbox(payment, realFetch);
    await shop.awaitPayment(customer, null, () => {});
    expect(browser.sent).toHaveLength(12);
    expect(preflightsOf(browser)).toEqual(catalogue(eventId).map((path) => `OPTIONS ${path}`));
    expect(await shop.boughtOrder()).toMatchObject({ status: 'confirmed' });
  });
});
