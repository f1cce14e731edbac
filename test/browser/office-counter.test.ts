import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { match, type ShopRun, show, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';
import { callApi, eventOf, staffAt } from './staff.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

const Order = v.object({
  order_id: v.number(),
  payment_method: v.string(),
  tickets: v.array(v.object({ ticket_id: v.number() })),
});

/** The order that the page says is sold. */
async function soldOrder({ page }: Visitor, organisation = 0) {
  const link = page.getByRole('link', { name: /^Order \d+$/ });
  const orderId = (await link.innerText()).split(' ')[1];
  return v.parse(Order, await callApi(shop, `/orders/${orderId}`, undefined, organisation));
}

describe('the counter of the office', () => {
  it('sells two tickets with three keys, says the change, prints them and is ready for the next buyer', async () => {
    const staff = await staffAt(shop, '/office/counter');
    const { page } = staff;
    await staff.inspect('office-counter');
    await page.getByRole('link', { name: match }).first().click();
    await staff.heading(`Sell: ${match}`).waitFor();
    await page.getByText('This till: not named yet').click();
    await page.getByLabel('Till', { exact: true }).pressSequentially('Main entrance');
    // Whoever opens the page, or reads it again, begins at once.
    await page.reload();
    await page.getByRole('region', { name: 'Sale' }).and(page.locator(':focus')).waitFor();
    for (const key of ['1', '1', 'c']) await page.keyboard.press(key);
    await page.getByText(/^Sold: 2 tickets/).waitFor();
    expect(await soldOrder(staff)).toMatchObject({ payment_method: 'cash', tickets: [{}, {}] });
    const print = page.getByRole('link', { name: 'Print on the roll' });
    const file = await page.request.get(new URL((await print.getAttribute('href')) ?? '', page.url()).href);
    expect(file.headers()['content-type']).toBe('application/pdf');
    expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('p');
    await (await opened).close();
    await staff.inspect('office-counter-sold');
    await page.keyboard.press('1');
    await page.getByText(/^1 ticket: /).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Nothing chosen yet').waitFor();
  });

  it('takes what was received in cash by keyboard alone, in six keys with an amount of two digits', async () => {
    const { eventId } = await eventOf(shop, match);
    const staff = await staffAt(shop, `/office/counter/${eventId}`);
    const { page } = staff;
    await page.getByRole('region', { name: 'Sale' }).and(page.locator(':focus')).waitFor();
    for (const key of ['1', '1', 'r', '9', '9', 'Enter']) await page.keyboard.press(key);
    await page.getByText(/^Sold: 2 tickets/).waitFor();
    await page.locator('.counter-change', { hasText: /^Change: / }).waitFor();
    expect(await soldOrder(staff)).toMatchObject({ payment_method: 'cash', tickets: [{}, {}] });
    // Ready for the next buyer, with nothing of the last one.
    await page.keyboard.press('1');
    await page.getByText(/^1 ticket: /).waitFor();
    expect(await page.getByLabel('Received in cash').inputValue()).toBe('');
  });

  it('says what was sold where a phone shows it, and lets no button come under the second tap', async () => {
    const { eventId } = await eventOf(shop, match);
    const staff = await staffAt(shop, `/office/counter/${eventId}`);
    const { page } = staff;
    await page.setViewportSize({ width: 390, height: 844 });
    const price = page.getByRole('region', { name: 'Sale' }).getByRole('listitem').first().getByRole('button').first();
    const topOfPayment = async () => (await page.locator('.counter-pay').boundingBox())?.y ?? 0;
    const before = await topOfPayment();
    await price.click();
    await page.getByText(/^1 ticket: /).waitFor();
    expect(await topOfPayment()).toBeGreaterThanOrEqual(before);
    await page.getByRole('button', { name: /^Card terminal/ }).click();
    await page.getByText(/^Sold: 1 ticket,/).waitFor();
    const print = await page.getByRole('link', { name: 'Print on the roll' }).boundingBox();
    expect((print?.y ?? 0) + (print?.height ?? 0)).toBeLessThan(844);
    await staff.inspect('office-counter-phone');
  });

  it('sells by touch, and says the change of what was received', async () => {
    const { eventId } = await eventOf(shop, match);
    const staff = await staffAt(shop, `/office/counter/${eventId}`);
    const { page } = staff;
    const price = page.getByRole('region', { name: 'Sale' }).getByRole('listitem').first().getByRole('button').first();
    await price.click();
    await price.click();
    await page.getByRole('button', { name: /^One less/ }).click();
    await page.getByLabel('Received in cash').fill('1');
    await page.getByText('Not enough').waitFor();
    expect(await page.getByRole('button', { name: /^Cash/ }).isDisabled()).toBe(true);
    await page.getByLabel('Received in cash').press('Enter');
    await page.getByLabel('Received in cash').fill('fifty');
    await page.getByText('Write an amount').waitFor();
    await page.getByLabel('Received in cash').press('Enter');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByText(/^Sold:/).count()).toBe(0);
    await page.getByLabel('Received in cash').fill('500,00');
    await page.getByRole('button', { name: /^Cash/ }).click();
    await page.getByText(/^Sold: 1 ticket,/).waitFor();
    await page.locator('.counter-change').waitFor();
  });

  it('sells once when an answer is lost: nothing else is sold before that sale is clear, also after a reload', async () => {
    const { eventId } = await eventOf(shop, match);
    const staff = await staffAt(shop, `/office/counter/${eventId}`);
    const { page } = staff;
    // The sale is made, its answer is lost, and the basket is an order that cannot be cancelled.
    await page.route('**/checkout', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('region', { name: 'Sale' }).focus();
    for (const key of ['1', '1', 'c']) await page.keyboard.press(key);
    const notice = page.getByText(/^Not known whether this was sold: 2 tickets/);
    await notice.waitFor({ timeout: 60_000 });
    expect(await page.getByRole('region', { name: 'Sale' }).count()).toBe(0);
    await staff.inspect('office-counter-unclear');
    await page.unroute('**/checkout');
    await page.reload();
    await notice.waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/^Sold: 2 tickets/).waitFor();
    expect(await soldOrder(staff)).toMatchObject({ payment_method: 'cash', tickets: [{}, {}] });
  });

  it('gives tickets away for a reason, and sells on an invoice to somebody who owes it', async () => {
    const { eventId } = await eventOf(shop, match);
    const staff = await staffAt(shop, `/office/counter/${eventId}`);
    const { page } = staff;
    const price = page.getByRole('region', { name: 'Sale' }).getByRole('listitem').first().getByRole('button').first();
    await price.click();
    await page.getByText('Complimentary', { exact: true }).click();
    await page.getByLabel('Reason').fill('Press');
    await page.getByRole('button', { name: 'Give away' }).click();
    await page.getByText(/^Sold: 1 ticket,/).waitFor();
    expect(await soldOrder(staff)).toMatchObject({ payment_method: 'complimentary' });
    await price.click();
    await page.getByText('Invoice', { exact: true }).click();
    await page.getByLabel('Email address').fill('school@example.com');
    await page.getByLabel('First name').fill('Harbour');
    await page.getByLabel('Last name').fill('School');
    await staff.inspect('office-counter-invoice');
    await page.getByRole('button', { name: 'Sell on an invoice' }).click();
    await page.getByText(/^Sold: 1 ticket,/).waitFor();
    expect(await soldOrder(staff)).toMatchObject({ payment_method: 'invoice' });
  });

  it('sells the best seats, or those that staff pick', async () => {
    const { eventId } = await eventOf(shop, show, 1);
    const staff = await staffAt({ visitor: () => shop.theatreVisitor() }, `/office/counter/${eventId}`);
    const { page } = staff;
    await page.getByRole('region', { name: 'Sale' }).focus();
    for (const key of ['1', '1', 't']) await page.keyboard.press(key);
    await page.getByText(/^Sold: 2 tickets/).waitFor();
    expect(await soldOrder(staff, 1)).toMatchObject({ payment_method: 'terminal', tickets: [{}, {}] });
    await page.getByText('Pick seats instead of the best ones').click();
    await staff.inspect('office-counter-seats');
    const free = page.locator('[data-seat].free').first();
    await free.click();
    // The first tap on small seats makes them larger.
    if ((await page.getByText(/^1 ticket: /).count()) === 0) await free.click();
    await page.getByText(/^1 ticket: /).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
  });

  it('shows at the end of the shift what each till has taken, also as CSV, and where the places of an event are', async () => {
    shop.cloud.clock.advance(60);
    const staff = await staffAt(shop, '/office/counter/takings');
    const { page } = staff;
    const row = page.getByRole('row', { name: /^Main entrance, Cash staff box/ });
    await row.waitFor();
    // Who is signed in, whatever a page says.
    expect(await row.innerText()).toMatch(/staff \S+/);
    const csv = decodeURIComponent((await page.getByRole('link', { name: 'Save as CSV' }).getAttribute('href')) ?? '');
    expect(csv).toMatch(/currency,kind,station,operator,sales,refunds,net,orders\r\n/);
    expect(csv).toMatch(/AUD,cash,Main entrance,box[^,]*,[\d.]+,0,[\d.]+,1\r\n/);
    await page.getByRole('heading', { name: 'To be handed over' }).waitFor();
    await page.getByRole('heading', { name: 'Overdue invoices' }).waitFor();
    await staff.inspect('office-takings');
    const { eventId } = await eventOf(shop, match);
    await staff.open(`/office/events/${eventId}`);
    await page.getByRole('heading', { name: 'Places' }).waitFor();
    await page
      .getByText(/^[\d,]+ places: [\d,]+ sold/)
      .first()
      .waitFor();
    await staff.inspect('office-event-places');
  });
});
