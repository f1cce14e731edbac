import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { givenStorefrontToken, shopOrigin } from '../../tools/fixtures/storefront.ts';
import { givenOnSale } from '../support/baskets.ts';
import { loadPaymentsPage } from '../support/payments-page.ts';
import { type Service, shareService } from '../support/service.ts';

const Basket = v.object({ id: v.string(), basketToken: v.string() });
const org = 'org_page';
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const returnUrl = `${shopOrigin}/paid`;

let service: Service;

beforeAll(async () => {
  service = await shareService([org]);
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => service.stop());

describe('the code of docs/payments.md', () => {
  it('takes a payment with the sandbox, with a storefront token, from an empty basket to the order', async () => {
    const page = await loadPaymentsPage();
    const { price } = await givenOnSale(service.table, org);
    const { text } = await givenStorefrontToken(service.table, org);
    const call = page.gateline(service.url, text);
    const basket = v.parse(Basket, await page.openBasket(call, { org, priceId: price.priceId, quantity: 2 }));
    const payment = await page.preparePayment(call, basket, { customer, returnUrl });
    const left: string[] = [];
    vi.stubGlobal('location', { assign: (url: string) => left.push(url) });
    await page.pay(payment, returnUrl);
    await expect(page.finish(call, basket, customer)).rejects.toThrow('payment_action_required');
    const [sandbox = ''] = left;
    await fetch(sandbox, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ decision: 'approve' }) });
    expect(await page.finish(call, basket, customer)).toMatchObject({ status: 'confirmed', total: 64.3 });
  });
});
