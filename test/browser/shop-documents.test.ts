import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOn } from './read-code.ts';
import { match, type ShopRun, startShopRun } from './shop-run.ts';
import { screenshots, type Visitor } from './shop-visitor.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

/** What a link leads to. Whether the browser shows a file or stores it is the browser's choice, so the file is read without it. */
async function fileOf(link: Locator): Promise<readonly [type: string | null, start: string]> {
  const response = await fetch((await link.getAttribute('href')) ?? '');
  return [response.headers.get('content-type'), Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 4)];
}

/** All three documents of the first ticket on the page. */
async function expectDocuments(fan: Visitor): Promise<void> {
  const ticket = fan.page.locator('.ticket').filter({ hasText: 'PDF' }).first();
  expect(await fileOf(ticket.getByRole('link', { name: 'PDF' }))).toEqual(['application/pdf', '%PDF']);
  const pass = await fileOf(ticket.getByRole('link', { name: 'Apple Wallet' }));
  expect(pass).toEqual(['application/vnd.apple.pkpass', 'PK\u0003\u0004']);
  // The page of Google is not ours: its address is enough. Chromium loads a page that failed again and again.
  const google = new Promise<string>((resolve) => {
    void fan.page.route('https://pay.google.com/**', (route) => {
      resolve(route.request().url());
      return route.fulfill({ body: 'Google' });
    });
  });
  await ticket.getByRole('button', { name: 'Google Wallet' }).click();
  expect(await google).toMatch(/^https:\/\/pay\.google\.com\/gp\/v\/save\/[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(fan.mistakes.splice(0)).toEqual([expect.stringMatching(/^request to https:\/\/pay\.google\.com/)]);
}

/** Opens a document in a tab of its own, and waits until a scanner reads the code of the ticket on the screen. */
async function expectCode(fan: Visitor, address: string, barcode: string | undefined, name: string): Promise<void> {
  const tab = await fan.page.context().newPage();
  await tab.goto(address);
  await expect.poll(() => codeOn(tab), { timeout: 120_000, interval: 500 }).toBe(barcode);
  await tab.screenshot({ path: join(screenshots, `${name}.png`) });
  await tab.close();
}

async function signIn(fan: Visitor, account: RegExp): Promise<void> {
  await fan.open('/sign-in');
  await fan.page.getByRole('button', { name: account }).click();
  await fan.heading('My tickets').waitFor();
}

/** The card of an order in My tickets, with its tickets. */
async function openOrder(fan: Visitor, orderId: string): Promise<Locator> {
  await fan.open('/my-tickets');
  const order = fan.page.locator('.orders > li').filter({ hasText: `order ${orderId}` });
  await order.getByRole('button', { name: /^Show the tickets/ }).click();
  await order.locator('.ticket, .notice').first().waitFor();
  return order;
}

interface Holder {
  readonly fan: Visitor;
  readonly barcode: string | undefined;
  readonly orderId: string;
}

/** A signed-in fan who has bought a ticket. */
async function givenHolder(): Promise<Holder> {
  const fan = await shop.visitor();
  await signIn(fan, /a fan with tickets/);
  await fan.choose(match, { Concession: 1 });
  await fan.pay('Visa ending in 4242');
  const [barcode] = await fan.barcodes();
  const [, orderId = ''] = /Order (\d+)/.exec(await fan.page.getByRole('main').innerText()) ?? [];
  return { fan, barcode, orderId };
}

/** Offers the ticket to a friend, and returns the address to send. */
async function offer({ fan, orderId }: Holder): Promise<string> {
  const order = await openOrder(fan, orderId);
  await order.getByText('Give to a friend').click();
  await order.getByLabel('Email address of your friend').fill('friend@example.com');
  await fan.inspect('give-away');
  await order.getByRole('button', { name: 'Offer the ticket' }).click();
  const address = await order.getByRole('link', { name: 'The ticket for friend@example.com' }).getAttribute('href');
  await fan.inspect('give-away-offered');
  return address ?? '';
}

async function accept(friend: Visitor): Promise<void> {
  await friend.heading('Ada gives you a ticket').waitFor();
  await friend.inspect('accept');
  await friend.page.getByLabel('First name').fill('Grace');
  await friend.page.getByLabel('Last name').fill('Hopper');
  await friend.page.getByRole('button', { name: 'Accept the ticket' }).click();
}

describe('the documents of a ticket in the sample shop', () => {
  it('are offered with the confirmation, to a guest, too', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Adult: 2 });
    await fan.pay('Visa ending in 4242');
    await fan.page.getByRole('link', { name: 'PDF' }).nth(1).waitFor();
    await fan.inspect('documents-confirmation');
    const [barcode] = await fan.barcodes();
    const pdf = (await fan.page.getByRole('link', { name: 'PDF of ticket 1 of 2' }).getAttribute('href')) ?? '';
    await expectDocuments(fan);
    await expectCode(fan, pdf.replace('/pdf?', '/page?'), barcode, 'ticket-page');
    // Without its bars the viewer shows the whole page of the file.
    await expectCode(fan, `${pdf}#toolbar=0&navpanes=0&view=Fit`, barcode, 'ticket-pdf');
  });

  it('are offered in My tickets', async () => {
    const { fan, orderId } = await givenHolder();
    const order = await openOrder(fan, orderId);
    await order.getByRole('link', { name: 'PDF' }).waitFor();
    await fan.inspect('documents-my-tickets');
    await expectDocuments(fan);
  });
});

describe('a ticket for a friend in the sample shop', () => {
  it('is offered by a link, accepted once, and has another code from then on', async () => {
    const holder = await givenHolder();
    const address = await offer(holder);
    const friend = await shop.visitor();
    await friend.page.goto(address);
    await accept(friend);
    await friend.heading('The ticket is yours').waitFor();
    const [barcode] = await friend.barcodes();
    expect(barcode).not.toBe(holder.barcode);
    expect(await friend.page.locator('.ticket').innerText()).toContain('Grace Hopper');
    await friend.page.getByRole('link', { name: 'PDF' }).waitFor();
    await friend.inspect('accepted');
    await expectDocuments(friend);

    const late = await shop.visitor();
    await late.page.goto(address);

    await late.page.getByText('This offer has ended').waitFor();
    await late.inspect('accept-ended');
    const order = await openOrder(holder.fan, holder.orderId);
    for (const code of [barcode, holder.barcode]) expect(await order.innerText()).not.toContain(code);
    await holder.fan.inspect('given-away');
  });

  it('is accepted by a friend who signs in on the way, and is in My tickets', async () => {
    const holder = await givenHolder();
    const friend = await shop.visitor();
    await friend.page.goto(await offer(holder));
    await friend.page.getByRole('link', { name: 'Sign in' }).click();
    await friend.page.getByRole('button', { name: /a fan with a verified email/ }).click();
    await accept(friend);
    await friend.heading('The ticket is yours').waitFor();
    const barcodes = await friend.barcodes();
    await openOrder(friend, holder.orderId);
    expect(await friend.barcodes()).toEqual(barcodes);
    await friend.inspect('accepted-my-tickets');
  });

  it('is accepted by a signed-in friend whom the club does not know', async () => {
    const friend = await shop.visitor();
    await signIn(friend, /a new fan/);
    await friend.page.goto(await offer(await givenHolder()));
    await accept(friend);
    await friend.heading('The ticket is yours').waitFor();
    expect(await friend.barcodes()).toHaveLength(1);
  });
});
