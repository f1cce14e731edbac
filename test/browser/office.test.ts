import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { match, type ShopRun, startShopRun } from './shop-run.ts';
import { buy, callApi, eventOf, staffAt } from './staff.ts';

const List = v.object({ data: v.array(v.unknown()) });

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

describe('the office of the sample shop', () => {
  it('is closed to fans, and opens for staff by keyboard alone', async () => {
    const visitor = await shop.visitor();
    await visitor.open('/');
    await visitor.page.getByRole('link', { name: 'Office' }).click();
    await visitor.heading('Sign in to the office').waitFor();
    await visitor.page.getByRole('button', { name: /a fan with tickets/ }).click();
    await visitor.page.getByText('This account is not one of the staff').waitFor();
    await visitor.inspect('office-closed');
    await visitor.page.getByRole('button', { name: /Sam of the box office/ }).focus();
    await visitor.page.keyboard.press('Enter');
    await visitor.heading('Events').waitFor();
    await visitor.page.getByRole('link', { name: match }).first().waitFor();
    await visitor.page.locator('summary').focus();
    await visitor.page.keyboard.press('Enter');
    await visitor.inspect('office-events');
    await visitor.page.getByRole('button', { name: 'Sign out' }).click();
    await visitor.heading('Sign in to the office').waitFor();
  });

  it('shows the sales and admissions of an event as a chart with its figures', async () => {
    const staff = await staffAt(shop, '/office');
    await staff.page.getByRole('link', { name: match }).first().click();
    await staff.heading(match).waitFor();
    const sold = staff.page
      .getByRole('row', { name: /^Adult/ })
      .first()
      .getByRole('cell')
      .first();
    const before = Number((await sold.innerText()).replaceAll(',', ''));
    const fan = await shop.visitor();
    await fan.choose(match, { Adult: 1 });
    await fan.pay('Visa ending in 4242');
    await fan.barcodes();
    await staff.page.reload();
    await sold.filter({ hasText: (before + 1).toLocaleString('en') }).waitFor();
    await staff.page.getByRole('img', { name: /^Tickets sold, .* tickets, most of them / }).waitFor();
    await staff.inspect('office-event');
  });

  it('asks for the page of an event with a handful of calls', async () => {
    const { eventId } = await eventOf(shop, match);
    const staff = await staffAt(shop, '/office');
    // The calls of the list before.
    await staff.page.getByText('Past events').waitFor();
    const calls: string[] = [];
    staff.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/office/api/')) calls.push(pathname);
    });
    await staff.open(`/office/events/${eventId}`);
    await staff.page.getByRole('img', { name: /^Tickets sold/ }).waitFor();
    expect(calls.length, calls.join(' ')).toBeLessThanOrEqual(8);
  });

  it('shows the sales by day and by week, and the scans at the gates', async () => {
    const staff = await staffAt(shop, '/office');
    await staff.page.getByText('Past events').click();
    await staff.page.locator('details').getByRole('link').first().click();
    await staff.page.getByRole('img', { name: /^Scans at the gates, .* scans, most of them / }).waitFor();
    // Everything that a bar shows is in a table too, which opens by keyboard.
    const days = staff.page.locator('summary', { hasText: 'tickets by day' });
    await days.focus();
    await staff.page.keyboard.press('Enter');
    expect(await staff.page.locator('.chart').first().getByRole('row').count()).toBe(15);
    await staff.inspect('office-past-event');
    await staff.page.getByLabel('Period').selectOption({ label: '12 weeks before the event' });
    await staff.page.locator('summary', { hasText: 'tickets by week' }).waitFor();
    const ofWeeks = await staff.page.locator('summary', { hasText: 'tickets by week' }).innerText();
    expect(Number.parseInt(ofWeeks.replaceAll(',', ''), 10)).toBeGreaterThan(0);
  });

  it('shows what was sent with API keys and what was answered, by operation and answer', async () => {
    const { url, organisations } = shop.run;
    const headers = { Authorization: `Bearer ${organisations[0]?.read_only_key}` };
    expect((await fetch(`${url}/v1/members?page=2`, { headers })).status).toBe(400);
    expect((await fetch(`${url}/v1/venues`, { headers })).status).toBe(200);
    shop.cloud.clock.advance(10);
    const staff = await staffAt(shop, '/office');
    const { page } = staff;
    await page.getByRole('link', { name: 'API requests' }).click();
    await page.getByRole('heading', { name: 'list-venues' }).first().waitFor();
    await staff.inspect('office-requests');
    await page.getByLabel('Answer').selectOption('400');
    await page.getByLabel('Operation').fill('list-members');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'list-venues' }).first().waitFor({ state: 'detached' });
    await page.getByText('400 parameter_unknown').first().waitFor();
    await staff.inspect('office-requests-found');
    await page.getByLabel('Operation').fill('refund-order');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No more requests').waitFor();
  });

  it('says that it is closed while the API refuses to answer, and opens again by a button', async () => {
    const staff = await staffAt(shop, '/office');
    const { page } = staff;
    for (const call of ['**/v1/organisation', '**/office/session']) {
      await page.route(call, (route) => route.fulfill({ status: 503, body: '{}' }));
      await page.reload();
      await staff.heading('The office is closed for a moment').waitFor();
      await staff.inspect('office-unreachable');
      await page.unroute(call);
      await page.getByRole('button', { name: 'Try again' }).click();
      await staff.heading('Events').waitFor();
    }
  });

  it('keeps a form behind the sign-in when the session ends', async () => {
    const staff = await staffAt(shop, '/office/events/new');
    await staff.page.getByLabel('Title').fill('Typed before');
    await staff.page.context().clearCookies();
    await staff.page.getByLabel('Start').fill('2027-01-09T19:30');
    // The club sells in one currency.
    expect(await staff.page.getByLabel('Currency').inputValue()).toBe('AUD');
    await staff.page.getByRole('button', { name: 'Create the event' }).click();
    await staff.heading('Sign in to the office').waitFor();
    await staff.page.getByRole('button', { name: /Sam of the box office/ }).click();
    expect(await staff.page.getByLabel('Title').inputValue()).toBe('Typed before');
  });
});

describe('an event in the office of the sample shop', () => {
  const title = 'Charity match';
  let path: string;

  it('is created with its prices, says what is wrong beside the field, and is published', async () => {
    const staff = await staffAt(shop, '/office');
    const { page } = staff;
    const save = () => page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'New event' }).click();
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Start').fill('2100-01-09T19:30');
    await page.getByLabel('Currency').fill('dollars');
    await page.getByRole('button', { name: 'Create the event' }).click();
    await page.getByText('must be the ISO 4217 code').waitFor();
    // The field that is wrong has the focus, and is described by the message.
    expect(await page.evaluate('document.activeElement.name')).toBe('currency');
    await staff.inspect('office-event-refused');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('AUD');
    await page.keyboard.press('Enter');
    await page.getByText('Created, as a draft').waitFor();
    path = new URL(page.url()).pathname;
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Before you publish').waitFor();
    // No names of operations for staff.
    expect(await page.locator('.notice').allInnerTexts()).not.toContainEqual(expect.stringMatching(/create-price|_/));
    await staff.inspect('office-warnings');
    await page.getByRole('link', { name: 'Add to price categories' }).click();
    await page.getByLabel('Title').fill('East stand');
    await staff.inspect('office-category');
    await save();
    await page.getByRole('link', { name: 'Add to pools' }).click();
    await page.getByLabel('Title').fill('Places');
    await page.getByLabel('Capacity').fill('100');
    await staff.inspect('office-pool');
    await save();
    await page.getByRole('link', { name: 'Add to prices' }).click();
    await page.getByLabel('Title').fill('Adult');
    await page.getByLabel('Face price').fill('10.55555');
    await page.getByLabel('Pool').selectOption('Places');
    await save();
    await page.locator('.field-problem').waitFor();
    await staff.inspect('office-price-refused');
    await page.getByLabel('Face price').fill('10,50');
    await page.getByText('More settings').click();
    await page.getByLabel('Most in one basket').fill('1000');
    await page.getByText('More settings').click();
    await save();
    // A field that is wrong is unfolded.
    await page.getByText('Most in one basket must be an integer from 1 to 40.').waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('max_per_order');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('6');
    await staff.inspect('office-price-settings');
    await save();
    await page.getByText('East stand · $10.50').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published', { exact: true }).waitFor();
    await staff.inspect('office-published');
    const fan = await shop.visitor();
    await fan.choose(title, { Adult: 2 });
    await fan.pay('Visa ending in 4242');
    expect(await fan.barcodes()).toHaveLength(2);
  });

  it('that two people edit at once keeps what both have changed', async () => {
    const [first, second] = [await staffAt(shop, `${path}/edit`), await staffAt(shop, `${path}/edit`)];
    await second.page.getByLabel('Title').fill('Charity match for the harbour');
    await first.page.getByLabel('Online, without a venue').check();
    await first.page.getByRole('button', { name: 'Save' }).click();
    await first.page.getByText('Saved.').waitFor();
    await second.page.getByRole('button', { name: 'Save' }).click();
    await second.page.getByText('Somebody else has changed this meanwhile').waitFor();
    await second.page.getByText('Online, without a venue: no is now yes').waitFor();
    expect(await second.page.getByLabel('Title').inputValue()).toBe('Charity match for the harbour');
    expect(await second.page.getByLabel('Online, without a venue').isChecked()).toBe(true);
    await second.inspect('office-conflict');
    await second.page.getByRole('button', { name: 'Save' }).click();
    await second.heading('Charity match for the harbour').waitFor();
    await second.page.getByText(/9 January 2100.* · Online/).waitFor();
  });

  it('is copied with its prices, as a draft', async () => {
    const staff = await staffAt(shop, `${path}/copy`);
    await staff.page.getByLabel('Title').fill('Charity match again');
    await staff.inspect('office-copy');
    await staff.page.getByRole('button', { name: 'Make a copy' }).click();
    await staff.heading('Charity match again').waitFor();
    await staff.page.getByText('Draft', { exact: true }).waitFor();
    await staff.page.getByRole('link', { name: 'Adult' }).waitFor();
    await staff.page.getByText('16 January 2100').waitFor();
  });

  it('is cancelled with a reason after a confirmation, and shows the progress of the refunds', async () => {
    const { priceId } = await eventOf(shop, 'Charity match for the harbour');
    const item = { price_id: priceId, quantity: 1 };
    await buy(shop, { item, payment: { payment_method: 'pm_card_refundFail' } });
    await buy(shop, { item, cash: true });
    const staff = await staffAt(shop, path);
    await staff.page.getByRole('link', { name: 'Cancel the event' }).click();
    // First what it means: two tickets of the fan, one whose refund will fail, and one that was sold for cash.
    await staff.page.getByText('3 orders with 4 tickets: $42.00').waitFor();
    await staff.page.getByLabel('Reason').fill('Storm');
    await staff.page.getByRole('button', { name: 'Cancel this event' }).click();
    // Not without the confirmation.
    await staff.heading('Cancel Charity match for the harbour').waitFor();
    await staff.page.getByLabel(/will not take place/).check();
    await staff.inspect('office-cancel');
    await staff.page.getByRole('button', { name: 'Cancel this event' }).click();
    await staff.page.getByRole('progressbar').waitFor();
    await staff.heading('Cancellation of Charity match for the harbour').waitFor();
    await staff.inspect('office-cancelling');
    // The job goes on while nobody looks, and the page of the event leads back to it.
    await staff.page.getByRole('link', { name: 'Back to the event' }).click();
    await staff.page.getByText('Cancelled', { exact: true }).waitFor();
    await staff.page.getByRole('link', { name: 'Progress of the cancellation' }).click();
    await staff.page.getByText('Finished: 2 of 3 orders').waitFor({ timeout: 300_000 });
    await staff.page.getByText('1 order needs you').waitFor();
    await staff.page.getByText('The payment provider refused the refund').waitFor();
    await staff.page.getByText('1 refund to hand over: $10.50').waitFor();
    await staff.inspect('office-cancelled');
    // What has to be handed over for another event is no part of this one.
    const other = await eventOf(shop, match);
    await buy(shop, { item: { price_id: other.priceId, quantity: 1 }, cash: true });
    await callApi(shop, `/events/${other.eventId}/cancel`, { refund: 'all' });
    const toReturn = async () => v.parse(List, await callApi(shop, '/orders/to_return?limit=200')).data.length;
    await expect.poll(toReturn, { interval: 1_000, timeout: 300_000 }).toBeGreaterThan(1);
    await staff.page.reload();
    await staff.page.getByText('1 refund to hand over: $10.50').waitFor();
    await staff.page.getByRole('link', { name: /refund it again/ }).click();
    await staff.page.getByRole('button', { name: 'Refund everything: $10.50' }).waitFor();
  });
});
