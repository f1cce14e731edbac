import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSeatMap } from '../../tools/fixtures/seat-maps.ts';
import { operatorTable } from '../support/operator-table.ts';
import { givenSeatedEvent } from '../support/seats.ts';
import { pinch } from './pinch.ts';
import { type ShopRun, show, startShopRun, theatreId } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

async function visitorAt(title: string): Promise<Visitor> {
  const visitor = await shop.theatreVisitor();
  await visitor.open('/');
  await visitor.page.getByRole('link', { name: title, exact: true }).click();
  await visitor.heading(title).waitFor();
  return visitor;
}

/** An event of the theatre with a map of its own. */
async function givenShow(title: string, rows: Parameters<typeof aSeatMap>[0]): Promise<void> {
  const table = operatorTable(shop.cloud);
  await givenSeatedEvent(table, theatreId, { title, map: aSeatMap(rows) });
  table.client.destroy();
}

const widthOf = async ({ page }: Visitor, seat: string): Promise<number> =>
  (await page.locator(`[data-seat="${seat}"]`).boundingBox())?.width ?? 0;

/** Seats that are too small for a finger: the first tap makes them larger. */
const enlarge = async (visitor: Visitor, seat: string): Promise<void> => {
  if ((await widthOf(visitor, seat)) >= 24) return;
  await visitor.page.locator(`[data-seat="${seat}"]`).tap();
  await expect.poll(() => widthOf(visitor, seat), { timeout: 120_000 }).toBeGreaterThanOrEqual(24);
};

/** The first two of four free seats side by side. */
async function freeNeighbours({ page }: Visitor): Promise<readonly [string, string]> {
  const names = await page
    .locator('.seat.free')
    .evaluateAll((seats) => seats.map((seat) => seat.getAttribute('data-seat') ?? ''));
  const next = (name: string, by: number): string => name.replace(/\d+$/, (seat) => String(Number(seat) + by));
  const first = names.find(
    (name) => !names.includes(next(name, -1)) && [1, 2, 3].every((by) => names.includes(next(name, by))),
  );
  if (first === undefined) throw new Error('No four seats are free side by side.');
  return [first, next(first, 1)];
}

const pick = async (visitor: Visitor, ...seats: readonly string[]): Promise<void> => {
  for (const seat of seats) {
    await enlarge(visitor, seat);
    await visitor.page.locator(`[data-seat="${seat}"]`).tap();
  }
};

const ticketSeats = async (visitor: Visitor): Promise<readonly string[]> => {
  await visitor.barcodes();
  return visitor.page.locator('.ticket .ticket-seat').allInnerTexts();
};

describe('numbered seats in the sample shop', () => {
  it('the best seats together are the first choice, are held with a countdown, and are on the tickets', async () => {
    const fan = await visitorAt(show);
    const stalls = fan.page.getByRole('group', { name: 'Stalls' }).getByRole('combobox', { name: 'Full price' });
    await stalls.selectOption('2');
    await fan.inspect('seats-best');
    await fan.page.getByRole('button', { name: /^Take the best seats · 2 tickets/ }).click();
    await fan.heading('Your basket').waitFor();
    const held = fan.page.getByText(/^Stalls, row [A-N], seats \d+ and \d+$/);
    await held.waitFor();
    const [, row, one, other] = /row (\w), seats (\d+) and (\d+)/.exec(await held.innerText()) ?? [];
    expect(Number(other) - Number(one)).toBe(1);
    expect(await fan.page.getByRole('timer').innerText()).toMatch(/^1[45]:\d\d$/);
    await fan.inspect('seats-basket');
    await fan.pay('Visa ending in 4242');
    expect(await ticketSeats(fan)).toEqual([one, other].map((seat) => `Stalls · row ${row} · seat ${seat}`));
    await fan.inspect('seats-confirmation');
  });

  it('a finger picks seats in the plan, and two fingers make it larger', async () => {
    await givenShow('The Tempest', [
      { row: 'A', seats: '1-8|9-16' },
      { row: 'B', seats: '1-8|9-16' },
    ]);
    const fan = await visitorAt('The Tempest');
    await fan.page.getByRole('button', { name: 'Choose the seats yourself' }).click();
    const plan = fan.page.getByRole('img', { name: 'Plan of the seats' });
    const width = async () => (await plan.boundingBox())?.width ?? 0;
    const before = await width();
    await pinch(fan);
    await expect.poll(width).toBeGreaterThan(1.5 * before);
    await fan.page.getByRole('button', { name: 'Smaller' }).click();
    await pick(fan, 'Stalls/A/7', 'Stalls/A/8');
    await fan.page.getByRole('button', { name: /^Add 2 seats/ }).waitFor();
    await fan.inspect('seats-picked');
    // The focus goes to what took the place of a removed seat, and to the heading after the last one.
    const remove = (seat: number) => fan.page.getByRole('button', { name: `Remove Stalls, row A, seat ${seat}` });
    await remove(7).press('Enter');
    await expect.poll(() => fan.focused(), { timeout: 120_000 }).toBe('Remove Stalls, row A, seat 8');
    await remove(8).press('Enter');
    await expect.poll(() => fan.focused(), { timeout: 120_000 }).toBe('The Tempest');
    await pick(fan, 'Stalls/A/7', 'Stalls/A/8');
    await fan.page.getByRole('button', { name: /^Add 2 seats/ }).click();
    await fan.pay('Visa ending in 4242');
    expect(await ticketSeats(fan)).toEqual(['Stalls · row A · seat 7', 'Stalls · row A · seat 8']);
  });

  it('the whole house fits at first, the first tap makes it larger, and own seats are marked', async () => {
    const fan = await visitorAt(show);
    await fan.page.setViewportSize({ width: 390, height: 844 });
    await fan.page.getByRole('button', { name: 'Choose the seats yourself' }).click();
    const plan = fan.page.getByRole('img', { name: 'Plan of the seats' });
    const { width = 0, height = 0 } = (await plan.boundingBox()) ?? {};
    expect(width).toBeLessThanOrEqual(390);
    expect(height).toBeLessThanOrEqual(844);
    const [one, other] = await freeNeighbours(fan);
    expect(await widthOf(fan, one)).toBeLessThan(24);
    // The first tap chooses nothing.
    await enlarge(fan, one);
    expect(await fan.page.locator('.seat.chosen').count()).toBe(0);
    await fan.page.getByRole('button', { name: 'Larger' }).click();
    await fan.page.getByRole('button', { name: 'Smaller' }).click();
    await pick(fan, one, other);
    // The bar with the number and the price is in view while the plan is.
    const add = fan.page.getByRole('button', { name: /^Add 2 seats · £/ });
    await plan.scrollIntoViewIfNeeded();
    const bar = await add.boundingBox();
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(844);
    await fan.inspect('seats-enlarged');
    await add.click();
    await fan.heading('Your basket').waitFor();
    await fan.page.getByRole('link', { name: 'Add more' }).click();
    await fan.page.getByRole('button', { name: 'Choose the seats yourself' }).click();
    await fan.page.locator(`.seat.own[data-seat="${one}"]`).waitFor();
    await fan.page.getByText('in your basket', { exact: true }).waitFor();
    await fan.page.locator(`[data-seat="${other}"]`).hover();
    await fan.page.locator('.seat-pointed').getByText('in your basket').waitFor();
    await fan.inspect('seats-own');
  });

  it('somebody without a mouse picks seats in the list of rows and pays', async () => {
    const fan = await visitorAt(show);
    const { keyboard } = fan.page;
    await fan.tabTo('Choose the seats yourself');
    await keyboard.press('Enter');
    await fan.page.getByRole('img', { name: 'Plan of the seats' }).waitFor();
    await fan.tabTo('List of rows and seats');
    await keyboard.press('Enter');
    await expect.poll(() => fan.focused(), { timeout: 120_000 }).toBe('Rows and seats');
    await fan.tabTo(/^Row N: \d+ free$/);
    await keyboard.press('Enter');
    await fan.tabTo(/^Seat 1, £[\d.]+.*wheelchair place$/);
    expect(await fan.page.locator('.seat-pointed').innerText()).toMatch(/^Stalls, row N, seat 1, £/);
    await keyboard.press('Space');
    await fan.tabTo(/^Seat 2.*companion/);
    await keyboard.press('Space');
    await fan.inspect('seats-keyboard');
    await fan.tabTo(/^Add 2 seats/);
    await keyboard.press('Enter');
    await fan.heading('Your basket').waitFor();
    await fan.tabTo('Go to the payment');
    await keyboard.press('Enter');
    await fan.heading('Payment').waitFor();
    for (const [label, text] of [
      ['First name', 'Ada'],
      ['Last name', 'Lovelace'],
      ['Email', 'ada@example.com'],
    ] as const) {
      await fan.tabTo(label);
      await keyboard.type(text);
    }
    await keyboard.press('Enter');
    expect(await ticketSeats(fan)).toEqual(['Stalls · row N · seat 1', 'Stalls · row N · seat 2']);
  });

  it('a seat that another buyer took in between is named, taken back and shown as taken', async () => {
    await givenShow('Macbeth', [
      { row: 'A', seats: '1-10' },
      { section: 'Balcony', row: 'A', seats: '1-4', zone: 'Stalls' },
    ]);
    const [first, second] = [await visitorAt('Macbeth'), await visitorAt('Macbeth')];
    for (const { page } of [first, second]) {
      await page.getByRole('button', { name: 'Choose the seats yourself' }).click();
      await page.getByRole('img', { name: 'Plan of the seats' }).waitFor();
    }
    await pick(first, 'Stalls/A/1', 'Stalls/A/2');
    await pick(second, 'Stalls/A/2', 'Stalls/A/3');
    const sections = second.page.getByLabel('Section', { exact: true });
    expect(await sections.innerText()).toContain('Stalls, 10 free');
    await first.page.getByRole('button', { name: /^Add 2 seats/ }).click();
    await first.heading('Your basket').waitFor();
    await second.page.getByRole('button', { name: /^Add 2 seats/ }).click();
    await second.page.getByText('Another buyer was faster: Stalls, row A, seat 2 is taken now.').waitFor();
    await second.page.locator('.seat.taken[data-seat="Stalls/A/2"]').waitFor();
    // The numbers of the sections are asked for again, too.
    await expect.poll(() => sections.innerText(), { timeout: 120_000 }).toContain('Stalls, 8 free');
    await second.page.locator('[data-seat="Stalls/A/5"]').hover();
    await second.page
      .locator('.seat-pointed')
      .getByText(/^Stalls, row A, seat 5, \$[\d.]+/)
      .waitFor();
    await second.page.getByRole('button', { name: /^Add 1 seat · / }).waitFor();
    await second.inspect('seats-taken');
  });

  it('seats that leave a single one behind can be changed for those that the service offers', async () => {
    await givenShow('Othello', [{ row: 'A', seats: '1-6' }]);
    const fan = await visitorAt('Othello');
    await fan.page.getByRole('button', { name: 'Choose the seats yourself' }).click();
    await pick(fan, 'Stalls/A/2', 'Stalls/A/3');
    await fan.page.getByRole('button', { name: /^Add 2 seats/ }).click();
    await fan.page.getByText('Stalls, row A, seat 1 would be left alone').waitFor();
    await fan.inspect('seats-single');
    await fan.page.getByRole('button', { name: /^Take Stalls, row A, seats 1 and 2$/ }).click();
    await fan.page.getByRole('button', { name: /^Add 2 seats/ }).click();
    await fan.page.getByText('Stalls, row A, seats 1 and 2').waitFor();
    await fan.heading('Your basket').waitFor();
  });

  it('seats that are not together are taken only if the buyer agrees', async () => {
    await givenShow('King Lear', [
      { row: 'A', seats: '1|2' },
      { row: 'B', seats: '1|2' },
    ]);
    const fan = await visitorAt('King Lear');
    await fan.page.getByRole('combobox').first().selectOption('2');
    await fan.page.getByRole('button', { name: /^Take the best seats/ }).click();
    await fan.page.getByText('There are seats left, but not so many side by side.').waitFor();
    await fan.inspect('seats-apart');
    await fan.page.getByRole('button', { name: 'Take seats that are not together' }).click();
    await fan.heading('Your basket').waitFor();
  });

  it('My tickets shows the seats of a fan who is signed in', async () => {
    const fan = await shop.theatreVisitor();
    await fan.open('/sign-in');
    await fan.page.getByRole('button', { name: /a new fan/ }).click();
    await fan.page.getByText('No tickets yet').waitFor();
    await fan.page.getByRole('link', { name: 'Events', exact: true }).click();
    await fan.page.getByRole('link', { name: show, exact: true }).click();
    await fan.page
      .getByRole('group', { name: 'Dress circle' })
      .getByRole('combobox', { name: 'Full price' })
      .selectOption('1');
    await fan.page.getByRole('button', { name: /^Take the best seats/ }).click();
    await fan.pay('Visa ending in 4242', 'new-fan@example.com');
    const [seat] = await ticketSeats(fan);
    expect(seat).toMatch(/^Dress circle · row [A-F] · seat \d+$/);
    await fan.open('/my-tickets');
    await fan.page.getByRole('button', { name: /^Show the tickets/ }).click();
    expect(await ticketSeats(fan)).toEqual([seat]);
  });
});
