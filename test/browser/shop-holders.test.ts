import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { operatorTable } from '../support/operator-table.ts';
import { match, orgId, type ShopRun, startShopRun } from './shop-run.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

describe('a purchase in the sample shop', () => {
  it('shows what a ticket costs with all fees first, and the same amount in the basket', async () => {
    const fan = await shop.visitor();
    await fan.open('/');
    await fan.page.getByRole('link', { name: match }).click();
    await fan.page.getByText('All prices include fees.').waitFor();
    const row = fan.page.getByRole('group', { name: 'West Stand' }).getByRole('listitem').filter({ hasText: 'Adult' });
    // 41.00 less a rebate of 2.50, with 1.95 and 0.20 of fees. No other amount is shown.
    expect((await row.innerText()).match(/\$[\d.]+/g)).toEqual(['$40.65']);
    await row.getByRole('combobox').selectOption('1');
    await fan.page.getByRole('button', { name: 'Add 1 ticket · $40.65' }).click();
    await fan.page.getByRole('listitem').filter({ hasText: 'Total' }).filter({ hasText: '$40.65' }).waitFor();
  });

  it('asks for the names of the holders, of each person in a group, and prints them on the tickets', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { 'Family of four': 1 });
    await fan.heading('Your basket').waitFor();
    await fan.page.getByText('Names on the tickets').click();
    const ticket = (number: number) => fan.page.getByRole('group', { name: `Ticket ${number}` });
    for (const [index, name] of ['Ada', 'Byron', 'Clara'].entries()) {
      await ticket(index + 1)
        .getByRole('textbox', { name: 'First name' })
        .fill(name);
      await ticket(index + 1)
        .getByRole('textbox', { name: 'Last name' })
        .fill('Lovelace');
    }
    await ticket(4).getByRole('textbox', { name: 'First name' }).focus();
    await fan.page.getByText('The names are saved.').waitFor();
    await fan.inspect('holders');
    await fan.page.reload();
    await fan.page.getByText('Names on the tickets').click();
    expect(await ticket(2).getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Byron');
    await fan.pay('Visa ending in 4242');
    await fan.barcodes();
    const shown = await fan.page.locator('.ticket').allInnerTexts();
    const names = shown.map((text) => /\w+ Lovelace/.exec(text)?.[0]);
    expect(names).toEqual(['Ada Lovelace', 'Byron Lovelace', 'Clara Lovelace', undefined]);
  });

  it('of a price that needs names asks for them at once, and says so at the payment', async () => {
    const table = operatorTable(shop.cloud);
    const title = 'Away trip to Geelong';
    const event = await givenEvent(table, orgId, { title, statusId: 1, startUnix: farFutureUnix });
    const { eventId, categoryId } = await givenPriceCategory(table, orgId, { eventId: event.eventId });
    await givenPrice(table, orgId, { eventId, categoryId, title: 'Coach', holderNames: 'required' });
    await givenPrice(table, orgId, { eventId, categoryId, title: 'Scarf', holderNames: 'none' });
    const fan = await shop.visitor();
    await fan.choose(title, { Coach: 1, Scarf: 1 });
    await fan.page.getByText('Names on the tickets (needed)').waitFor();
    expect(await fan.page.getByRole('textbox').count()).toBe(2);
    await fan.inspect('holders-needed');
    await fan.pay('Visa ending in 4242');
    await fan.page.getByText('Some of your tickets need the name').waitFor();
    await fan.inspect('holders-missing');
    await fan.page.getByRole('link', { name: /^Basket/ }).click();
    await fan.page.getByRole('textbox', { name: 'First name' }).fill('Grace');
    await fan.pay('Visa ending in 4242');
    expect(await fan.barcodes()).toHaveLength(2);
    expect((await fan.page.locator('.ticket').allInnerTexts()).join()).toContain('Grace');
  });
});
