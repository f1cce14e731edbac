import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { match, type ShopRun, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';
import { callApi, eventOf } from './staff.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

/** What staff do with the key of the club. */
async function staff(path: string, body: object): Promise<void> {
  const { status } = await fetch(`${shop.run.url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${shop.run.organisations[0]?.api_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(status, path).toBeLessThan(300);
}

/** A signed-in fan who has bought tickets of a match. */
async function givenHolder(
  title: string,
  quantity: number,
): Promise<{ readonly fan: Visitor; readonly orderId: string }> {
  const fan = await shop.visitor();
  await fan.open('/sign-in');
  await fan.page.getByRole('button', { name: /a fan with tickets/ }).click();
  await fan.heading('My tickets').waitFor();
  await fan.choose(title, { Standing: quantity });
  await fan.pay('Visa ending in 4242');
  await fan.barcodes();
  const [, orderId = ''] = /Order (\d+)/.exec(await fan.page.getByRole('main').innerText()) ?? [];
  return { fan, orderId };
}

/** The order among the fan's own. */
async function cardOf(fan: Visitor, orderId: string) {
  await fan.open('/my-tickets');
  const card = fan.page
    .getByRole('listitem')
    .filter({ hasText: `order ${orderId}` })
    .last();
  await card.waitFor();
  return card;
}

async function openedCard(fan: Visitor, orderId: string) {
  const card = await cardOf(fan, orderId);
  await card.getByRole('button', { name: /^Show the tickets/ }).click();
  return card;
}

describe('the link of an order in the sample shop', () => {
  it('is shown to a guest, who is told to keep it, and leads to the tickets without signing in', async () => {
    const guest = await shop.visitor();
    await guest.choose(match, { Standing: 2 });
    await guest.pay('Visa ending in 4242');
    const barcodes = await guest.barcodes();
    await guest.page.getByText('Keep this link').waitFor();
    await guest.inspect('confirmation-link');
    const address = await guest.page.getByRole('link', { name: /^Order \d+/ }).getAttribute('href');
    const other = await shop.visitor();
    await other.page.goto(address ?? '');
    const shown = await other.page.getByRole('main').innerText();
    for (const barcode of barcodes) expect(shown).toContain(barcode);
    expect(shown).toContain('confirmed');
    await other.inspect('order-page');
  });
});

describe('a gift in the sample shop', () => {
  it('shows the match, the stand and who gives it before it is accepted, and stays after a reload', async () => {
    const { fan, orderId } = await givenHolder(match, 2);
    const card = await openedCard(fan, orderId);
    await card.getByText('Give to a friend').first().click();
    await card.getByLabel('Email address of your friend').first().fill('friend@example.com');
    await card.getByRole('button', { name: 'Offer the ticket' }).first().click();
    await card.getByText('Offered to friend@example.com').waitFor();

    const again = await openedCard(fan, orderId);
    await again.getByText('Offered to friend@example.com').waitFor();
    await again.getByRole('button', { name: 'Copy the link' }).waitFor();
    await fan.inspect('offer-pending');
    const address = await again.getByRole('link', { name: 'The ticket for friend@example.com' }).getAttribute('href');

    const friend = await shop.visitor();
    await friend.page.goto(address ?? '');
    await friend.heading('Ada gives you a ticket').waitFor();
    const offered = await friend.page.getByRole('main').innerText();
    for (const text of [match, 'Standing']) expect(offered).toContain(text);
    await friend.inspect('gift-offered');
    await friend.page.getByLabel('First name').fill('Grace');
    await friend.page.getByLabel('Last name').fill('Hopper');
    await friend.page.getByRole('button', { name: 'Accept the ticket' }).click();
    await friend.heading('The ticket is yours').waitFor();
    await friend.barcodes();
    await friend.page.reload();
    await friend.heading('The ticket is yours').waitFor();
    await friend.inspect('gift-accepted-reloaded');
    await friend.page.getByRole('link', { name: 'Open your ticket' }).click();
    await friend.page.getByText('Grace Hopper').waitFor();

    const given = await openedCard(fan, orderId);
    await given.getByText('1 of 2 tickets given to friends.').waitFor();
    await fan.inspect('gift-given');
  });

  it('is taken back after a reload, and its link has ended', async () => {
    const { fan, orderId } = await givenHolder(match, 1);
    const card = await openedCard(fan, orderId);
    await card.getByText('Give to a friend').click();
    await card.getByLabel('Email address of your friend').fill('friend@example.com');
    await card.getByRole('button', { name: 'Offer the ticket' }).click();
    const address = await card.getByRole('link', { name: 'The ticket for friend@example.com' }).getAttribute('href');
    const again = await openedCard(fan, orderId);
    await fan.pressTwice('Take it back');
    await again.getByText('Give to a friend').waitFor();
    // The button is gone, and the focus with it went to the heading.
    await expect.poll(() => fan.focused(), { timeout: 120_000 }).toBe('My tickets');
    const friend = await shop.visitor();
    await friend.page.goto(address ?? '');
    await friend.page.getByText('This offer has ended').waitFor();
    await friend.inspect('gift-taken-back');
  });
});

describe('a ticket that its buyer cancels in the sample shop', () => {
  it('says what comes back and until when, asks once, and ends alone', async () => {
    const { fan, orderId } = await givenHolder(match, 2);
    const card = await openedCard(fan, orderId);
    const cancel = card.getByRole('button', { name: /^Cancel and get \$\d+\.\d\d back, until \w+ \d+ \w+/ });
    await expect.poll(() => cancel.count(), { timeout: 120_000 }).toBe(2);
    await fan.tabTo(/^Cancel and get .*ticket 1 of 2/);
    await fan.page.keyboard.press('Enter');
    const question = fan.page.getByRole('dialog', { name: 'Cancel ticket 1 of 2?' });
    await question.getByText(/comes back to how you paid.*is kept, as agreed/).waitFor();
    await fan.inspect('own-cancel-question');
    await fan.page.keyboard.press('Escape');
    expect(await fan.focused()).toMatch(/^Cancel and get .*ticket 1 of 2/);
    expect(await cancel.count()).toBe(2);
    await fan.page.keyboard.press('Enter');
    await question.getByRole('button', { name: /^Cancel and get \$\d+\.\d\d back$/ }).press('Enter');
    await card.getByText(/^Cancelled: \$\d+\.\d\d is on its way back to you$/).waitFor();
    expect(await cancel.count()).toBe(1);
    await fan.inspect('own-cancel-done');
    await expect
      .poll(async () => (await cardOf(fan, orderId)).innerText(), { timeout: 300_000, interval: 3_000 })
      .toMatch(/1 ticket .*\n*Refunded \$\d+\.\d\d/);
    const again = await openedCard(fan, orderId);
    // A refunded ticket is not listed any more.
    await again.getByRole('button', { name: /^Cancel and get .*ticket 1 of 1/ }).waitFor();
    await fan.inspect('own-cancel-refunded');
  });
});

const Order = v.object({ tickets: v.array(v.object({ ticket_id: v.number() })) });
const LinkedTicket = v.object({ link: v.string() });

describe('a cancelled event in the sample shop', () => {
  it('says so on its page and on the page of its ticket, before and after the refund', async () => {
    const title = 'Cup final: Harbour City FC v Rovers';
    const { fan, orderId } = await givenHolder(title, 1);
    const { tickets } = v.parse(Order, await callApi(shop, `/orders/${orderId}`));
    const { link } = v.parse(LinkedTicket, await callApi(shop, `/tickets/${tickets[0]?.ticket_id}`));
    const { eventId } = await eventOf(shop, title);
    const isCancelled = async (visitor: Visitor): Promise<void> => {
      await visitor.page.getByText('This event was cancelled').waitFor();
      expect(await visitor.page.getByRole('main').innerText()).not.toContain('typing mistake');
    };
    await staff(`/v1/events/${eventId}/cancel`, { reason: 'Storm', refund: 'all' });
    for (const name of ['before', 'after']) {
      const guest = await shop.visitor();
      await guest.open(`/events/${eventId}`);
      await guest.heading(title).waitFor();
      await isCancelled(guest);
      await guest.inspect(`cancelled-event-${name}`);
      await guest.page.goto(link);
      await isCancelled(guest);
      await guest.inspect(`cancelled-ticket-${name}`);
      await fan.open('/my-tickets');
      if (name === 'before') {
        await expect
          .poll(async () => (await cardOf(fan, orderId)).innerText(), { timeout: 300_000, interval: 3_000 })
          .toMatch(/Cancelled, refunded \$\d+\.\d\d/);
      }
    }
  });
});

describe('My tickets of the sample shop', () => {
  it('keeps a refunded order with its amount, and has past events apart', async () => {
    const { fan, orderId } = await givenHolder(match, 1);
    await staff(`/v1/orders/${orderId}/refunds`, {});
    // The provider returns the money after the request.
    await expect
      .poll(async () => (await cardOf(fan, orderId)).innerText(), { timeout: 300_000, interval: 3_000 })
      .toMatch(/Cancelled, refunded \$\d+\.\d\d/);
    await fan.page.getByRole('heading', { level: 2, name: 'Past events' }).waitFor();
    await fan.inspect('my-tickets-refunded');
  });
});
