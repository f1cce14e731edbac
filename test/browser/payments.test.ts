import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import { givenOnSale } from '../support/baskets.ts';
import { paymentsPageCode } from '../support/payments-page.ts';
import { type Service, startService } from '../support/service.ts';
import { Pages } from './pages.ts';

const org = 'org_paid';
let service: Service;
let pages: Pages;

beforeAll(async () => {
  service = await startService([org], { schedules: 'off' });
  pages = await Pages.start();
});
afterAll(async () => {
  await pages?.stop();
  await service?.stop();
});

it('the code of docs/payments.md takes a payment: the buyer leaves the page, approves, returns and gets the order', async () => {
  const { price } = await givenOnSale(service.table, org);
  const { origin, tab } = await pages.open();
  const { text } = await givenStorefrontToken(service.table, org, { origins: [origin] });
  const returnUrl = `${origin}/paid`;
  const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
  const values = { api: service.url, token: text, org, priceId: price.priceId, customer, returnUrl };
  // Texts, because the test runner would rewrite an import in a function.
  const inPage = (steps: string): Promise<unknown> =>
    tab.evaluate(`(async () => {
      const page = await import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(paymentsPageCode)}`)});
      const { api, token, org, priceId, customer, returnUrl } = ${JSON.stringify(values)};
      const call = page.gateline(api, token);
      ${steps}
    })()`);
  await inPage(`
    const basket = await page.openBasket(call, { org, priceId, quantity: 2 });
    sessionStorage.setItem('basket', JSON.stringify(basket));
    const payment = await page.preparePayment(call, basket, { customer, returnUrl });
    setTimeout(() => page.pay(payment, returnUrl));`);
  await tab.waitForURL(`${service.url}/v1/sandbox/payments/**`);
  await tab.getByRole('button', { name: 'Approve' }).click();
  await tab.waitForURL(`${returnUrl}?**`);
  const order = await inPage(`return page.finish(call, JSON.parse(sessionStorage.getItem('basket')), customer);`);
  expect(order).toMatchObject({ status: 'confirmed', total: 64.3, tickets: [{}, {}] });
});
