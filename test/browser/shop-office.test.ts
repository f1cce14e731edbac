import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ShopRun, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';

vi.setConfig({ testTimeout: 600_000 });

const match = 'Harbour City FC v Western Rangers';
let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
}, 600_000);
afterAll(() => shop?.stop());

async function signIn(staff: Visitor): Promise<void> {
  await staff.page.getByRole('button', { name: /Sam of the box office/ }).click();
  await staff.heading('Sign in to the office').waitFor({ state: 'detached' });
}

/** One of the staff, at the page of the match. */
async function atMatch(): Promise<Visitor> {
  const staff = await shop.visitor();
  await staff.open('/office');
  await signIn(staff);
  await staff.page.getByRole('link', { name: match }).first().click();
  await staff.heading(match).waitFor();
  await staff.page.getByRole('table').waitFor();
  return staff;
}

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
    const staff = await atMatch();
    const row = staff.page.getByRole('row', { name: /^Adult/ }).first();
    const sold = Number((await row.getByRole('cell').first().innerText()).replaceAll(',', ''));
    const fan = await shop.visitor();
    await fan.choose(match, { Adult: 1 });
    await fan.pay('Visa ending in 4242');
    await fan.barcodes();
    await expect
      .poll(
        async () => {
          await staff.page.reload();
          await staff.page.getByRole('table').waitFor();
          return row.getByRole('cell').first().innerText();
        },
        { timeout: 60_000 },
      )
      .toBe((sold + 1).toLocaleString('en'));
    await staff.inspect('office-event');
  });
});
