import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { operatorTable } from '../support/operator-table.ts';
import { match, orgId, type ShopRun, startShopRun } from './shop-run.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

/** An event with one price of so many tickets. */
async function givenTickets(title: string, capacity: number): Promise<string> {
  const table = operatorTable(shop.cloud);
  const { eventId } = await givenEvent(table, orgId, { title, startUnix: farFutureUnix });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  await givenPrice(table, orgId, { eventId, categoryId, title: 'Front row', capacity });
  table.client.destroy();
  return String(eventId);
}

describe('the list of events in the sample shop', () => {
  it('says since when, to whom and whether tickets are sold', async () => {
    const fan = await shop.visitor();
    await fan.open('/');
    const badge = (title: string) => fan.page.getByRole('listitem').filter({ hasText: title }).locator('.tag');
    await badge(match).waitFor();
    expect(await badge(match).innerText()).toBe('On sale');
    expect(await badge('Season preview').innerText()).toMatch(/^From \d+ (November|December)$/);
    expect(await badge("Members' season lunch").innerText()).toBe('Members only: sign in or join');
    expect(await badge('The Harbour Derby').innerText()).toBe('Sold out: waiting list');
    await fan.inspect('events-badges');
  });

  it('claims nothing about a sale that the page could not ask for', async () => {
    const fan = await shop.visitor();
    await fan.page.route('**/sales.json', (route) => route.abort());
    await fan.open('/');
    await fan.page.getByRole('link', { name: match }).waitFor();
    expect(await fan.page.locator('.tag').allInnerTexts()).toEqual(['Sold out: waiting list']);
  });
});

describe('prices in the sample shop', () => {
  it('for members are shown with what they need, and can be chosen by a member who has signed in', async () => {
    const fan = await shop.visitor();
    await fan.open('/');
    await fan.page.getByRole('link', { name: match }).click();
    const price = fan.page.locator('.price').filter({ hasText: "Members' guest" });
    await price.getByText('For members: Full season, adult').waitFor();
    await price.getByText('Members only').waitFor();
    // Also on a phone, whose screen is narrow.
    expect(await price.locator('.amount').isVisible()).toBe(true);
    expect(await price.getByRole('combobox').count()).toBe(0);
    expect(await price.getByRole('link', { name: 'join' }).getAttribute('href')).toBe('/memberships');
    await fan.inspect('members-price');
    await price.getByRole('link', { name: 'Sign in' }).click();
    await fan.page.getByRole('button', { name: /a new fan/ }).click();
    await fan.heading(match).waitFor();
    await price.getByText('Members only').waitFor();
    expect(await price.getByRole('link', { name: 'Sign in' }).count()).toBe(0);
  });

  it('say how many are left when that is few, before and after a refusal', async () => {
    const eventId = await givenTickets('The last five', 5);
    const [first, second] = [await shop.visitor(), await shop.visitor()];
    for (const fan of [first, second]) {
      await fan.open(`/events/${eventId}`);
      await fan.page.getByText('Only 5 left').waitFor();
    }
    expect(await second.page.getByLabel('Front row').locator('option').count()).toBe(6);
    await second.page.getByLabel('Front row').selectOption('4');
    await first.page.getByLabel('Front row').selectOption('3');
    await first.page.getByRole('button', { name: /^Add 3 tickets/ }).click();
    await first.heading('Your basket').waitFor();
    await second.page.getByRole('button', { name: /^Add 4 tickets/ }).click();
    await second.page.getByRole('alert').getByText('Only 2 are left.').waitFor();
    await second.page.getByText('Only 2 left').waitFor();
    await second.inspect('only-two-left');
    await second.page.getByRole('button', { name: /^Add 2 tickets/ }).click();
    await second.heading('Your basket').waitFor();
  });
});

describe('a payment in the sample shop', () => {
  it('that is still being processed when the fan returns is asked for again until it is decided', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Junior: 1 });
    await fan.pay('Visa with 3-D Secure');
    await fan.page.getByRole('button', { name: 'Approve' }).waitFor();
    let asked = 0;
    await fan.page.route('**/checkout', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      asked += 1;
      if (asked > 2) return route.continue();
      const error = { type: 'api_error', code: 'payment_unknown', message: 'Ask again.', param: null, request_id: 'r' };
      const headers = {
        'Retry-After': '90',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': 'Retry-After',
      };
      await route.fulfill({ status: 503, headers, json: { error } });
    });
    await fan.page.getByRole('button', { name: 'Approve' }).click();
    await fan.page.getByText('Your bank has not answered yet').waitFor();
    await fan.inspect('payment-processing');
    expect(await fan.barcodes()).toHaveLength(1);
    expect(asked).toBeGreaterThan(1);
  });

  it('whose order another part of the page sees first is confirmed all the same', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Junior: 1 });
    await fan.page.route('**/checkout', async (route) => {
      const response = await route.fetch();
      // The countdown reads the basket, which is an order by now, before the page has the answer of its payment.
      await fan.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await fan.page.getByText('Your order is confirmed').waitFor();
      await route.fulfill({ response });
    });
    await fan.pay('Visa ending in 4242');
    expect(await fan.barcodes()).toHaveLength(1);
  });

  it('whose answers are all lost is confirmed, because the basket is an order', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Junior: 1 });
    await fan.page.route('**/checkout', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await fan.pay('Visa ending in 4242');
    expect(await fan.barcodes()).toHaveLength(1);
    expect(await fan.page.getByText('There is nothing to pay').count()).toBe(0);
  });

  it('in instalments says what was charged today, also after a reload', async () => {
    const fan = await shop.visitor();
    await fan.open('/memberships');
    await fan.page.getByRole('button', { name: 'Choose Full season, adult' }).click();
    await fan.page.getByRole('link', { name: 'Go to the payment' }).click();
    await fan.page
      .getByRole('radio', { name: /now, then \d+ ×/ })
      .first()
      .check();
    await fan.page.getByRole('checkbox', { name: /^I agree/ }).check();
    await fan.fillIn('ada@example.com');
    const pay = fan.page.getByRole('button', { name: /^Pay / });
    const amount = (await pay.innerText()).replace('Pay ', '');
    await pay.click();
    const charged = fan.page.getByText(/^Charged today: .* of /);
    await charged.waitFor();
    expect(await charged.innerText()).toMatch(new RegExp(`^Charged today: \\${amount} of \\$\\d+\\.\\d\\d\\.`));
    await fan.page.reload();
    await charged.waitFor();
    await fan.inspect('confirmation-instalments');
  });
});
