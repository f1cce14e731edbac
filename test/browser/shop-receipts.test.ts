import { readFileSync } from 'node:fs';
import type { Download } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { match, type ShopRun, startShopRun } from './shop-run.ts';
import { callApi, staffAt } from './staff.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

const Documents = v.object({
  data: v.array(v.object({ number: v.string(), buyer: v.nullable(v.object({ company: v.nullable(v.string()) })) })),
});

/** The documents of an order, once there are so many. */
async function documentsOf(orderId: string, count: number) {
  const read = async () => v.parse(Documents, await callApi(shop, `/documents?order_id=${orderId}`)).data;
  await expect.poll(async () => (await read()).length, { timeout: 300_000, interval: 2_000 }).toBe(count);
  return read();
}

async function expectPdf(download: Download, name: string): Promise<void> {
  expect(download.suggestedFilename()).toBe(name);
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
}

it('a receipt for a company and its credit note are offered with the order in the shop, and in the office', async () => {
  const fan = await shop.visitor();
  await fan.open('/sign-in');
  await fan.page.getByRole('button', { name: /a fan with tickets/ }).click();
  await fan.heading('My tickets').waitFor();
  await fan.choose(match, { Standing: 2 });
  await fan.page.getByRole('link', { name: /^Go to the payment/ }).click();
  await fan.fillIn('ada@example.com');
  await fan.page.getByText('Do you need a receipt for a company?').click();
  await fan.page.getByLabel('Company').fill('Lovelace Engines');
  await fan.page.getByLabel('Visa ending in 4242').check();
  await fan.page.getByRole('button', { name: /^Pay / }).click();
  await fan.barcodes();
  const [, orderId = ''] = /Order (\d+)/.exec(await fan.page.getByRole('main').innerText()) ?? [];
  await callApi(shop, `/orders/${orderId}/refunds`, { ticket_ids: [Number(orderId) + 1] });
  const [receipt, note] = await documentsOf(orderId, 2);
  expect([receipt?.buyer?.company, note?.buyer?.company]).toEqual(['Lovelace Engines', 'Lovelace Engines']);

  await fan.open('/my-tickets');
  const order = fan.page
    .getByRole('listitem')
    .filter({ hasText: `order ${orderId}` })
    .last();
  await order.getByRole('button', { name: /^Receipts/ }).click();
  for (const number of [`Receipt ${receipt?.number}`, `Credit note ${note?.number}`]) {
    const download = fan.page.waitForEvent('download');
    await order.getByRole('button', { name: number }).click();
    await expectPdf(await download, `${number.split(' ').at(-1)}.pdf`);
  }
  await fan.inspect('my-receipts');

  const staff = await staffAt(shop, `/office/orders/${orderId}`);
  const link = staff.page.getByRole('link', { name: `PDF of ${note?.number}` });
  const file = await staff.page.request.get(new URL((await link.getAttribute('href')) ?? '', staff.page.url()).href);
  expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');
  await staff.inspect('office-receipts');
});
