import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { match, type ShopRun, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';
import { buy, callApi, eventOf } from './staff.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

/** The page of mails, with the mail of this subject open; it lists new ones by itself. */
async function readMail(reader: Visitor, subject: string | RegExp, to: string): Promise<string> {
  const { page } = reader;
  await page.goto(shop.run.mails_url ?? '');
  const rows = page.getByRole('navigation').getByRole('link').filter({ hasText: subject }).filter({ hasText: to });
  await rows.first().click();
  await page.getByRole('main').getByText(to).waitFor();
  return page.frameLocator('iframe').locator('main').innerText();
}

describe('the mails of the demo', () => {
  it('somebody who buys, is refunded, and whose match is moved and cancelled reads about it at /mails', async () => {
    const { eventId, priceId } = await eventOf(shop, match);
    const to = 'grace.mails@example.com';
    const { orderId } = await buy(shop, { item: { price_id: priceId, quantity: 2 }, email: to });
    const other = 'joan.mails@example.com';
    await buy(shop, { item: { price_id: priceId, quantity: 1 }, email: other });
    const reader = await shop.mailReader();

    const order = await readMail(reader, `Your tickets: ${match}`, to);
    expect(order).toContain('Hello Grace,');
    const link = reader.page.frameLocator('iframe').getByRole('link', { name: 'Show my tickets' });
    await reader.page.goto((await link.getAttribute('href')) ?? '');
    await reader.page.getByText(match).first().waitFor();

    await callApi(shop, `/orders/${orderId}/refunds`, {});
    expect(await readMail(reader, 'Your refund of', to)).toContain('not valid any more');

    const title = `${match}, under new lights`;
    await changeEvent(eventId, { title, utc_event_start_date: '2026-12-24T09:00:00Z' });
    expect(await readMail(reader, `Changed: ${title}`, other)).toContain(`(it was ${match})`);

    await callApi(shop, `/events/${eventId}/cancel`, { refund: 'all', reason: 'Storm' });
    const cancelled = await readMail(reader, `Cancelled: ${title}`, other);
    expect(cancelled).toContain('Reason: Storm');
    // The refund of the whole event follows, order by order.
    expect(await readMail(reader, 'Your refund of', other)).toContain('order');
    expect(await reader.page.getByRole('link', { name: 'Show as plain text' }).count()).toBe(1);
    await reader.page.getByRole('link', { name: 'Show as plain text' }).click();
    expect(await reader.page.locator('pre').innerText()).toContain('Hello Grace,');
    await reader.inspect('mails');
    // Who was refunded before does not hear of the event again.
    await reader.page.goto(shop.run.mails_url ?? '');
    const toFirst = reader.page.getByRole('navigation').getByRole('link').filter({ hasText: to });
    expect(await toFirst.filter({ hasText: /Changed|Cancelled/ }).count()).toBe(0);
  });
});

async function changeEvent(eventId: string, body: object): Promise<void> {
  const { url, organisations } = shop.run;
  const response = await fetch(`${url}/v1/events/${eventId}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${organisations[0]?.api_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBe(200);
}
