import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { givenOnSale } from '../support/baskets.ts';
import { type Service, startService } from '../support/service.ts';
import { givenStorefrontToken, shopOrigin } from '../support/storefront.ts';

/** The code of docs/payments.md, which this test runs as it is. */
const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/payments.md', 'utf8')) ?? [];

const Functions = v.object({
  gateline: v.function(),
  openBasket: v.function(),
  preparePayment: v.function(),
  pay: v.function(),
  finish: v.function(),
});
const Basket = v.object({ id: v.string(), basketToken: v.string() });
const org = 'org_page';
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const returnUrl = `${shopOrigin}/paid`;

let service: Service;
let page: v.InferOutput<typeof Functions>;
let call: unknown;
let priceId: number;

beforeAll(async () => {
  service = await startService([org], { schedules: 'off' });
  ({
    price: { priceId },
  } = await givenOnSale(service.table, org));
  const { text } = await givenStorefrontToken(service.table, org);
  page = v.parse(Functions, { ...(await import(`data:text/javascript,${encodeURIComponent(code)}`)) });
  call = page.gateline(service.url, text);
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => service.stop());

describe('the code of docs/payments.md', () => {
  it('takes a payment with the sandbox, with a storefront token, from an empty basket to the order', async () => {
    const basket = v.parse(Basket, await page.openBasket(call, { org, priceId, quantity: 2 }));
    const payment = await page.preparePayment(call, basket, { customer, returnUrl });
    const left: string[] = [];
    vi.stubGlobal('location', { assign: (url: string) => left.push(url) });
    await page.pay(payment, returnUrl);
    await expect(page.finish(call, basket, customer)).rejects.toThrow('payment_action_required');
    const [sandbox = ''] = left;
    await fetch(sandbox, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ decision: 'approve' }) });
    expect(await page.finish(call, basket, customer)).toMatchObject({ status: 'confirmed', total: 64.3 });
  });

  it("takes a payment with Stripe's component: the account of the organisation, the secret, and where to return", async () => {
    const confirmed: unknown[] = [];
    let submit: (event: unknown) => Promise<void> = async () => undefined;
    const component = { elements: (options: unknown) => ({ options, create: () => ({ mount: () => undefined }) }) };
    const library = vi.fn(() => ({
      ...component,
      confirmPayment: async (request: unknown) => {
        confirmed.push(request);
        return {};
      },
    }));
    vi.stubGlobal('Stripe', library);
    vi.stubGlobal('document', {
      getElementById: () => ({
        addEventListener: (_name: string, listener: typeof submit) => {
          submit = listener;
        },
      }),
    });
    const payment = { publishable_key: 'pk_1', account: 'acct_1', client_secret: 'pi_1_secret', next_action: null };
    const paid = page.pay(payment, returnUrl);
    await submit({ preventDefault: () => undefined });
    await paid;
    expect(library).toHaveBeenCalledWith('pk_1', { stripeAccount: 'acct_1' });
    expect(confirmed).toMatchObject([
      {
        elements: { options: { clientSecret: 'pi_1_secret' } },
        confirmParams: { return_url: returnUrl },
        redirect: 'if_required',
      },
    ]);
  });
});
