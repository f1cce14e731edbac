import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { match, type ShopRun, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

/** One of the staff, signed in, at the page of the match. */
async function staffAtMatch(): Promise<Visitor> {
  const staff = await shop.visitor();
  await staff.open('/office');
  await staff.page.getByRole('button', { name: /Sam of the box office/ }).click();
  await staff.page.getByRole('link', { name: match }).first().click();
  await staff.heading(match).waitFor();
  return staff;
}

/** The text of a date field, on the clocks of the club. */
function onClocks(seconds: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Australia/Melbourne',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format.format(new Date(shop.cloud.clock.now() + seconds * 1000)).replace(' ', 'T');
}

describe('codes in the sample shop', () => {
  it('are made in the office, and a fan sees what a code does, or why nothing, and removes it', async () => {
    const staff = await staffAtMatch();
    const { page } = staff;
    await page.getByRole('link', { name: 'Codes' }).click();
    await staff.heading('Codes').waitFor();
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByLabel('Title').fill('Sponsors');
    await page.getByLabel('Percentage or amount').fill('120');
    // Before it is saved, the page says what the codes are for.
    await page.getByText('Each ticket costs 120 % less').waitFor();
    await page.getByText('They are for every ticket of every event').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A percentage is at most 100').waitFor();
    await staff.inspect('office-campaign-refused');
    await page.getByLabel('Percentage or amount').fill('20');
    await page.getByLabel('Uses of each code').fill('1');
    await page.getByText('Each code can be used once').waitFor();
    const forEvents = page.getByRole('group', { name: 'Only for these events' });
    await forEvents.getByRole('checkbox', { name: match }).first().check();
    await page.getByText(`They are for ${match}, and nothing else.`).waitFor();
    await staff.inspect('office-campaign-settings');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('A word that many share').fill('harbour 20');
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByRole('button', { name: 'Delete HARBOUR20' }).waitFor();
    await page.getByLabel('Make so many single codes').fill('2');
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page
      .getByRole('button', { name: /^Delete / })
      .nth(2)
      .waitFor();
    await staff.inspect('office-campaign');

    const fan = await shop.visitor();
    await fan.choose(match, { Adult: 2 });
    await fan.heading('Your basket').waitFor();
    const use = async (code: string): Promise<void> => {
      await fan.page.getByLabel('Code').fill(code);
      await fan.page.getByRole('button', { name: 'Use the code' }).click();
    };
    await fan.page.locator('.code-entry summary').click();
    await use('NOSUCH');
    await fan.page.getByText('We do not know this code').waitFor();
    await fan.inspect('code-unknown');
    await use('harbour20');
    await fan.page.getByText(/^You pay .* less\.$/).waitFor();
    await fan.inspect('code-applied');
    const other = await shop.visitor();
    await other.choose(match, { Adult: 1 });
    await other.heading('Your basket').waitFor();
    await other.page.locator('.code-entry summary').click();
    await other.page.getByLabel('Code').fill('HARBOUR20');
    await other.page.getByRole('button', { name: 'Use the code' }).click();
    await other.page.getByText('used as often as it can be').waitFor();
    await fan.pressTwice('Remove the code');
    await fan.page.getByText(/^You pay .* less\.$/).waitFor({ state: 'detached' });
    await expect.poll(() => fan.focused(), { timeout: 120_000 }).toBe('Do you have a code?');
    await use('harbour20');
    await fan.page.getByText(/^You pay .* less\.$/).waitFor();
    await fan.pay('Visa ending in 4242');
    expect(await fan.barcodes()).toHaveLength(2);
  });
});

describe('places that are kept for somebody', () => {
  it('are kept in the office, and paid by the link', async () => {
    const staff = await staffAtMatch();
    const { page } = staff;
    await page.getByRole('link', { name: 'Kept for buyers' }).click();
    await page.getByText('Nothing is kept').waitFor();
    await page.getByLabel('How many').fill('4');
    await page.getByLabel('Kept until').fill(onClocks(86_400));
    await page.getByLabel('Reason').fill('School class 4b');
    await page.getByRole('button', { name: 'Keep them' }).click();
    await page.getByText('School class 4b').waitFor();
    await page.getByRole('button', { name: 'Link' }).click();
    const link = page.getByLabel(/^Link to send/);
    await link.waitFor();
    await staff.inspect('office-kept');
    const { pathname, hash } = new URL(await link.inputValue());
    const fan = await shop.visitor();
    await fan.page.goto(`${shop.run.shop_url}${pathname}#wrong`);
    await fan.page.getByText('This link is not complete').waitFor();
    await fan.page.goto(`${shop.run.shop_url}/`);
    await fan.page.goto(`${shop.run.shop_url}${pathname}${hash}`);
    await fan.heading('Your basket').waitFor();
    await fan.page.getByText(/^4 × /).waitFor();
    await fan.inspect('kept-basket');
    await fan.pay('Visa ending in 4242');
    expect(await fan.barcodes()).toHaveLength(4);
    await page.reload();
    await page.getByText('Nothing is kept').waitFor();
  });
});

describe('phases of a sale in the sample shop', () => {
  it('are made in the office, and count down to their opening in the shop', async () => {
    const staff = await staffAtMatch();
    const { page } = staff;
    const add = async (title: string, fields: Readonly<Record<string, string>>): Promise<void> => {
      await page.getByRole('link', { name: 'Add to phases of the sale' }).click();
      await page.getByLabel('Title').fill(title);
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
    };
    await add('Members first', { From: onClocks(7_200), Until: onClocks(10_800), 'Most tickets for one person': '2' });
    await page.getByRole('group', { name: 'Only for members of' }).getByRole('checkbox').first().check();
    await staff.inspect('office-phase');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await add('Everyone', { From: onClocks(9_000) });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('sells one of these prices at the same time').waitFor();
    await staff.inspect('office-phase-overlap');
    await page.getByLabel('From', { exact: true }).fill(onClocks(10_800));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await staff.inspect('office-phases');

    const fan = await shop.visitor();
    await fan.open('/');
    await fan.page.getByRole('link', { name: match }).click();
    await fan.page
      .getByText(/^Opens in/)
      .first()
      .waitFor();
    await fan.page
      .locator('.price .tag')
      .getByText(/^From /)
      .first()
      .waitFor();
    await fan.inspect('phases-before');
    shop.cloud.clock.advance(7_260);
    const member = await shop.visitor();
    await member.open('/sign-in');
    await member.page.getByRole('button', { name: /a fan with tickets/ }).click();
    await member.heading(/tickets/i).waitFor();
    await member.open('/');
    await member.page.getByRole('link', { name: match }).click();
    await member.page
      .getByText(/^On sale now/)
      .first()
      .waitFor();
    await member.inspect('phases-open');
    shop.cloud.clock.advance(3_600);
    await fan.choose(match, { Adult: 1 });
    await fan.pay('Visa ending in 4242');
    expect(await fan.barcodes()).toHaveLength(1);
  });
});
