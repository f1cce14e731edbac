import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { operatorTable } from '../support/operator-table.ts';
import { match, orgId, type ShopRun, startShopRun } from './shop-run.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

describe('the events of the sample shop', () => {
  it('are shown in the colour of the organisation, the sold out one as such', async () => {
    const fan = await shop.visitor();
    await fan.open('/');
    await fan.page.getByRole('link', { name: match }).waitFor();
    expect(await fan.page.getByRole('listitem').filter({ hasText: 'The Harbour Derby' }).innerText()).toContain(
      'Sold out',
    );
    expect(await fan.page.evaluate("getComputedStyle(document.querySelector('header')).backgroundColor")).toBe(
      'rgb(11, 37, 69)',
    );
    await fan.inspect('events');
    await fan.page.getByRole('link', { name: 'The Harbour Derby' }).click();
    await fan.page.getByText('All tickets are gone').waitFor();
    await fan.inspect('sold-out');
    await fan.open('/');
    await fan.page.getByRole('link', { name: 'Season preview' }).click();
    await fan.page.getByText(/^From \d+ \w+$/).waitFor();
    await fan.inspect('not-on-sale-yet');
  });

  it('that do not exist, and pages that do not exist, lead back to the events', async () => {
    const fan = await shop.visitor();
    await fan.open('/events/1');
    await fan.heading('This event is not on sale').waitFor();
    await fan.inspect('event-missing');
    await fan.open('/no-such-page');
    await fan.heading('This page does not exist').waitFor();
    await fan.inspect('page-missing');
    await fan.page.getByRole('link', { name: 'See all events' }).click();
    await fan.page.getByRole('link', { name: match }).waitFor();
  });

  it('say so when they cannot be loaded, and load when the fan tries again', async () => {
    const fan = await shop.visitor();
    await fan.page.route(`${shop.run.url}/v1/events?**`, (route) => route.abort());
    await fan.open('/');
    await fan.page.getByText('We cannot reach the ticket office.').waitFor();
    await fan.inspect('events-failed');
    await fan.page.unroute(`${shop.run.url}/v1/events?**`);
    await fan.page.getByRole('button', { name: 'Try again' }).click();
    await fan.page.getByRole('link', { name: match }).waitFor();
  });
});

describe('a purchase in the sample shop', () => {
  it('leads from the event to tickets with QR codes, which a reload shows again', async () => {
    const fan = await shop.visitor();
    await fan.open('/basket');
    await fan.page.getByText('Your basket is empty').waitFor();
    await fan.inspect('basket-empty');
    await fan.open('/');
    await fan.page.getByRole('link', { name: match }).click();
    await fan.heading(match).waitFor();
    await fan.inspect('event');
    await fan.choose(match, { Adult: 2, 'Family of four': 1 });
    await fan.heading('Your basket').waitFor();
    expect(await fan.page.getByRole('timer').innerText()).toMatch(/^1[45]:\d\d$/);
    // The prices of the list include the fees, so they are the prices of the basket.
    expect(await fan.page.getByRole('listitem').filter({ hasText: 'Total' }).innerText()).toContain('$143.75');
    await fan.inspect('basket');
    await fan.page.getByRole('button', { name: 'Remove Family of four' }).click();
    await fan.page.getByRole('listitem').filter({ hasText: 'Total' }).filter({ hasText: '$69.30' }).waitFor();
    await fan.page.getByRole('link', { name: 'Go to the payment' }).click();
    await fan.heading('Payment').waitFor();
    await fan.inspect('checkout');
    await fan.fillIn('ada@example.com');
    await fan.page.getByRole('button', { name: 'Pay $69.30' }).click();
    await fan.heading('See you there!').waitFor();
    const barcodes = await fan.barcodes();
    expect(new Set(barcodes).size).toBe(2);
    await fan.inspect('confirmation');
    await fan.page.reload();
    expect(await fan.barcodes()).toEqual(barcodes);
  });

  it('of free tickets needs no payment', async () => {
    const fan = await shop.visitor();
    await fan.choose('Open training session', { 'Free entry': 1 });
    await fan.page.getByRole('link', { name: 'Get your tickets' }).click();
    await fan.fillIn('grace@example.com');
    await fan.page.getByRole('button', { name: 'Get your tickets' }).click();
    expect(await fan.barcodes()).toHaveLength(1);
  });

  it('with a declined card says so and keeps the tickets, and another card pays', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Concession: 1 });
    await fan.pay('Visa without money');
    await fan.page.getByText('The payment did not go through, and you have not been charged.').waitFor();
    await fan.inspect('declined');
    await fan.page.getByLabel('Visa ending in 4242').check();
    await fan.page.getByRole('button', { name: /^Pay / }).click();
    expect(await fan.barcodes()).toHaveLength(1);
  });

  it('with 3-D Secure waits for the approval on the page of the bank', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Junior: 1 });
    await fan.pay('Visa with 3-D Secure');
    await fan.page.getByRole('button', { name: 'Fail' }).waitFor();
    await fan.inspect('3-d-secure');
    // A policy that does not allow the page's style leaves buttons of 20 pixels.
    const { height = 0 } = (await fan.page.getByRole('button', { name: 'Approve' }).boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(48);
    await fan.page.getByRole('button', { name: 'Fail' }).click();
    await fan.heading('Your tickets are not paid yet').waitFor();
    await fan.inspect('not-approved');
    await fan.pay('Visa with 3-D Secure');
    await fan.page.getByRole('button', { name: 'Approve' }).click();
    expect(await fan.barcodes()).toHaveLength(1);
  });

  it('on the payment page of the provider is confirmed when the fan returns, not by what the address says', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Standing: 1 });
    await fan.pay('Payment page');
    await fan.page.getByRole('button', { name: 'Approve' }).waitFor();
    await fan.open('/payment?redirect_status=succeeded');
    await fan.heading('Your tickets are not paid yet').waitFor();
    await fan.pay('Payment page');
    await fan.page.getByRole('button', { name: 'Approve' }).click();
    expect(await fan.barcodes()).toHaveLength(1);
  });

  it('of a second event says that the basket holds tickets of another, and empties it', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Standing: 1 });
    await fan.heading('Your basket').waitFor();
    await fan.choose('Open training session', { 'Free entry': 1 });
    await fan.page.getByText('Your basket holds tickets for another event.').waitFor();
    await fan.inspect('other-event');
    await fan.page.getByRole('button', { name: 'Empty the basket' }).click();
    await fan.page.getByRole('button', { name: /^Add 1 ticket/ }).click();
    await fan.page.getByRole('link', { name: 'Get your tickets' }).waitFor();
  });
});

describe('scarce tickets in the sample shop', () => {
  it('go to the first of two fans, and the second one reads so before paying', async () => {
    const table = operatorTable(shop.cloud);
    const { eventId } = await givenEvent(table, orgId, { title: 'The last two', startUnix: farFutureUnix });
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    await givenPrice(table, orgId, { eventId, categoryId, title: 'Front row', capacity: 2 });
    await givenPrice(table, orgId, { eventId, categoryId, title: 'Back row', capacity: 2 });
    table.client.destroy();
    const [first, second] = [await shop.visitor(), await shop.visitor()];
    for (const fan of [first, second]) {
      await fan.open(`/events/${eventId}`);
      await fan.page.getByLabel('Front row').selectOption('2');
    }
    await first.page.getByRole('button', { name: /^Add 2 tickets/ }).click();
    await first.heading('Your basket').waitFor();
    await second.page.getByRole('button', { name: /^Add 2 tickets/ }).click();
    await second.page.getByText('The last tickets (Front row) are gone.').waitFor();
    await second.page.getByText('Sold out').waitFor();
    await second.inspect('faster-fan');
    await first.pay('Visa ending in 4242');
    expect(await first.barcodes()).toHaveLength(2);
  });

  it('are released when the time of the basket is over, wherever the fan is', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Junior: 1 });
    await fan.page.getByRole('link', { name: 'Go to the payment' }).click();
    await fan.heading('Payment').waitFor();
    shop.cloud.clock.advance(16 * 60);
    await fan.page.getByText('Your time ran out').waitFor();
    await fan.inspect('expired');
    await fan.page.getByRole('button', { name: 'Choose again' }).click();
    await fan.page.getByLabel('Junior', { exact: true }).selectOption('1');
    await fan.page.getByRole('button', { name: /^Add 1 ticket/ }).click();
    await fan.heading('Your basket').waitFor();
    expect(await fan.page.getByRole('timer').innerText()).toMatch(/^1[45]:\d\d$/);
  });
});

describe('a signed-in fan of the sample shop', () => {
  it('sees the memberships and the tickets of all orders, and signs out', async () => {
    const fan = await shop.visitor();
    await fan.open('/my-tickets');
    await fan.inspect('signed-out');
    await fan.page.getByRole('link', { name: 'Sign in' }).click();
    await fan.heading(/^Sign in to/).waitFor();
    await fan.inspect('sign-in');
    await fan.page.getByRole('button', { name: /a fan with tickets/ }).click();
    await fan.page
      .getByRole('button', { name: /^Show the tickets/ })
      .first()
      .click();
    expect((await fan.barcodes()).length).toBeGreaterThan(0);
    const cards = fan.page.getByRole('region', { name: 'My memberships' }).getByRole('listitem');
    expect(await cards.first().innerText()).toMatch(/Member \d+\n.*Valid until \d+ \w+ \d{4}/s);
    await cards
      .getByRole('img', { name: /^Card of member/ })
      .first()
      .waitFor();
    await fan.inspect('my-tickets');
    await fan.page.getByRole('button', { name: 'Sign out' }).click();
    await fan.open('/my-tickets');
    await fan.page.getByText('Sign in to see the tickets').waitFor();
  });

  it('is linked to the customer with the verified address at the first visit', async () => {
    const fan = await shop.visitor();
    await fan.open('/sign-in');
    await fan.page.getByRole('button', { name: /a fan with a verified email/ }).click();
    const linked = fan.page
      .getByText(/^No tickets yet$/)
      .or(fan.page.getByRole('button', { name: /^Show the tickets/ }));
    await linked.first().waitFor();
    const headers = {
      Authorization: `Bearer ${shop.run.organisations[0]?.publishable_key}`,
      'X-SSO-Token': shop.run.sso.verified_token,
    };
    expect((await fetch(`${shop.run.url}/v1/sso/orders`, { headers })).status).toBe(200);
  });

  it('whom the club does not know yet has no tickets until the first purchase', async () => {
    const fan = await shop.visitor();
    await fan.open('/sign-in');
    await fan.page.getByRole('button', { name: /a new fan/ }).click();
    await fan.page.getByText('No tickets yet').waitFor();
    await fan.inspect('no-tickets');
    await fan.choose(match, { Concession: 1 });
    await fan.pay('Visa ending in 4242', 'new-fan@example.com');
    const barcodes = await fan.barcodes();
    await fan.open('/my-tickets');
    await fan.page.getByRole('button', { name: /^Show the tickets/ }).click();
    expect(await fan.barcodes()).toEqual(barcodes);
  });
});
