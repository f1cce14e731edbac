import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ShopRun, show, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';
import { buy, eventOf, staffAt } from './staff.ts';

const theatre = 1;
/** Only ends a hang: a busy machine answers slowly. */
const patiently = { timeout: 60_000 };
let shop: ShopRun;
let sold: Awaited<ReturnType<typeof eventOf>>;

beforeAll(async () => {
  shop = await startShopRun();
  sold = await eventOf(shop, show, theatre);
});
afterAll(() => shop?.stop());

/** One of the theatre's staff, with a phone. */
const staffOfTheatre = (path: string): Promise<Visitor> => staffAt({ visitor: () => shop.theatreVisitor() }, path);

const seats = ({ page }: Visitor, state: string) => page.locator(`[data-seat].${state}`);
const press = ({ page }: Visitor, seat: string) => page.locator(`[data-seat="${seat}"]`).click();

/** What of the plan one has to scroll to. */
const outOfView = `(() => {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector('.zoom-box');
  return [scrollWidth - clientWidth, scrollHeight - clientHeight];
})()`;

describe('the seats of an event in the office', () => {
  it('are shown as in the shop, with a legend and the whole house in view, and as figures', async () => {
    const staff = await staffOfTheatre(`/office/events/${sold.eventId}/seats`);
    await staff.heading(`Seats of ${show}`).waitFor();
    const total = staff.page.getByRole('row', { name: /^Total/ });
    const counts = (await total.getByRole('cell').allInnerTexts()).map(Number);
    const [ofSold = 0, held = 0, blocked = 0, free = 0] = counts;
    expect(ofSold).toBeGreaterThan(50);
    expect(ofSold + held + blocked + free).toBe(384);
    expect(await seats(staff, 'sold').count()).toBe(ofSold);
    for (const size of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await staff.page.setViewportSize(size);
      expect(await staff.page.evaluate(outOfView), String(size.width)).toEqual([0, 0]);
    }
    await staff.page.getByRole('button', { name: 'Larger' }).click();
    await expect.poll(() => staff.page.evaluate(outOfView), patiently).not.toEqual([0, 0]);
    await staff.page.getByRole('button', { name: 'Smaller' }).click();
    await staff.inspect('office-seats');
  });

  it('are blocked one by one or as a row, and released after one question', async () => {
    const staff = await staffOfTheatre(`/office/events/${sold.eventId}/seats`);
    const { page } = staff;
    await seats(staff, 'unsold').first().waitFor();
    const before = await seats(staff, 'blocked').count();
    await page.getByText('List of rows and free seats').click();
    const stalls = page.getByRole('region', { name: 'Rows of Stalls' });
    const lastRow = stalls.getByText(/^Row \w+: \d+ free$/).last();
    const [, row] = /Row (\w+)/.exec(await lastRow.innerText()) ?? [];
    await lastRow.click();
    await stalls.getByRole('button', { name: `All of row ${row}` }).click();
    const chosen = await seats(staff, 'chosen').count();
    expect(chosen).toBeGreaterThan(1);
    // The bar leads to what is done with the chosen seats, which stands below the plan.
    await page.getByRole('link', { name: `${chosen} seats chosen: go on` }).click();
    expect(await staff.focused()).toContain('Block seats');
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await page.getByLabel('Reason').fill('Camera position');
    await staff.inspect('office-seats-chosen');
    await page.getByRole('button', { name: `Block ${chosen} seats` }).click();
    await page.getByText(`${chosen} seats blocked: nobody can buy them.`).waitFor();
    await expect.poll(() => seats(staff, 'blocked').count(), patiently).toBe(before + chosen);
    await staff.inspect('office-seats-blocked');
    // The plan leads to the block of a seat.
    await seats(staff, 'blocked').last().click();
    const block = page.getByRole('listitem').filter({ hasText: `Camera position: ${chosen} seats` });
    await block.getByRole('button', { name: 'Release' }).click();
    const question = page.getByRole('dialog', { name: `Release ${chosen} seats?` });
    await staff.inspect('office-seats-release');
    await question.getByRole('button', { name: `Release ${chosen} seats` }).click();
    await page.getByText(`${chosen} seats released: on sale again.`).waitFor();
    await expect.poll(() => seats(staff, 'blocked').count(), patiently).toBe(before);
  });

  it('are those of the plan that the form of an event offers', async () => {
    const staff = await staffOfTheatre('/office/events/new');
    const { page } = staff;
    await page.getByLabel('Title').fill('Press night');
    await page.getByLabel('Start').fill('2100-01-09T19:30');
    await page.getByLabel('Seats', { exact: true }).selectOption('Main house');
    await staff.inspect('office-event-seats');
    await page.getByRole('button', { name: 'Create the event' }).click();
    await page.getByText('Created, as a draft').waitFor();
    await page.getByRole('link', { name: 'Seat plan' }).waitFor();
    // Back to places without numbers, and nothing else changes.
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Seats', { exact: true }).selectOption('Without numbers');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.getByRole('link', { name: 'Seat plan' }).count()).toBe(0);
  });

  it('are given to a ticket instead of its own', async () => {
    const item = { items: [{ price_id: sold.priceId, quantity: 1 }] };
    const { orderId } = await buy(shop, { item, email: 'lise@example.com', lastName: 'Meitner' }, theatre);
    const staff = await staffOfTheatre(`/office/orders/${orderId}`);
    const { page } = staff;
    await page.getByRole('link', { name: 'Move to another seat' }).click();
    await staff.heading('Move to another seat').waitFor();
    await seats(staff, 'own').waitFor();
    await page.getByText('Stalls: free').waitFor();
    await page.getByText('the seat of this ticket').waitFor();
    const seat = (await seats(staff, 'free').last().getAttribute('data-seat')) ?? '';
    await press(staff, seat);
    // The first tap on small seats makes them larger.
    if ((await page.getByRole('button', { name: /^Move to / }).count()) === 0) await press(staff, seat);
    await staff.inspect('office-move-seat');
    await page.getByRole('button', { name: /^Move to / }).click();
    await staff.heading(`Order ${orderId}`).waitFor();
    await page.getByText('The ticket has moved to').waitFor();
    const [section, row, label] = seat.split('/');
    await page.getByText(`${section} · row ${row} · seat ${label}`).waitFor();
  });
});
