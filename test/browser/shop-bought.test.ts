import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { match, type ShopRun, show, startShopRun } from './shop-run.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

/** Only ends a hang. */
const patient = { timeout: 120_000 };

describe('what is bought in the sample shop', () => {
  it('is named in the basket with event, day and stand, and its quantity can be changed', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Adult: 2, Standing: 1 });
    const line = fan.page.getByRole('listitem').filter({ hasText: '× Adult' });
    await line.getByText(match).waitFor();
    expect(await line.innerText()).toMatch(/2 × Adult\n.*\n\w+day \d+ \w+ \d{4}, .* · Harbour Park\n.*(stand|end)/i);
    await line.getByLabel('How many: Adult').selectOption('3');
    await line.getByText('3 × Adult').waitFor();
    await line.getByLabel('How many: Adult').selectOption('1');
    await line.getByText('1 × Adult').waitFor();
    await fan.inspect('basket-named');
    // The focus goes to what took the place of a removed line, and to the heading after the last one.
    await fan.page.getByRole('button', { name: 'Remove Adult' }).click();
    await expect.poll(() => fan.focused(), patient).toBe('Remove Standing');
    await fan.page.getByRole('button', { name: 'Remove Standing' }).click();
    await fan.page.getByText('Your basket is empty').waitFor();
    await expect.poll(() => fan.focused(), patient).toBe('Your basket');
  });

  it('is added, reduced, emptied and paid with buttons that show that they work, and leave the focus where it can go on', async () => {
    const fan = await shop.visitor();
    await fan.open('/');
    await fan.page.getByRole('link', { name: match }).click();
    await fan.page.getByLabel('Adult', { exact: true }).first().selectOption('2');
    await fan.pressTwice(/^Add 2 tickets/);
    await fan.page.getByText('2 × Adult').waitFor();
    await fan.page.locator('.code-entry summary').click();
    await fan.page.getByLabel('Code').fill('NOSUCH');
    await fan.pressTwice('Use the code');
    await fan.page.getByText('We do not know this code').waitFor();
    await fan.pressTwice('Empty the basket');
    await fan.page.getByText('Your basket is empty').waitFor();
    await expect.poll(() => fan.focused(), patient).toBe('Your basket');
    await fan.choose(match, { Adult: 1, Standing: 1 });
    await fan.heading('Your basket').waitFor();
    await fan.pressTwice('Remove Adult');
    await fan.page.getByText('1 × Adult').waitFor({ state: 'detached' });
    await expect.poll(() => fan.focused(), patient).toBe('Remove Standing');
    await fan.page.getByRole('link', { name: 'Go to the payment' }).click();
    await fan.fillIn('ada@example.com');
    await fan.pressTwice(/^Pay /);
    expect(await fan.barcodes()).toHaveLength(1);
    expect(await fan.focused()).toBe(await fan.page.getByRole('heading', { level: 1 }).innerText());
  });

  it('is summed up before the payment with fees, tax and terms, and an address without a dot is questioned', async () => {
    const fan = await shop.visitor();
    await fan.choose(match, { Adult: 2 });
    await fan.page.getByRole('link', { name: 'Go to the payment' }).click();
    const order = fan.page.getByRole('region', { name: 'Your order' });
    await order.getByText(match).waitFor();
    await order.getByText('includes fees of $4.30').waitFor();
    await order.getByText('includes tax of $0.40').waitFor();
    await fan.page.getByText('you accept the terms of Harbour City FC').click();
    await fan.page.getByText('If a match is cancelled, you get back what you paid.').waitFor();
    await fan.fillIn('ada@example');
    const pay = fan.page.getByRole('button', { name: 'Pay $69.30' });
    await pay.click();
    await fan.page.getByRole('alert').getByText('Is ada@example right?').waitFor();
    expect(await fan.focused()).toContain('Email');
    await fan.inspect('checkout-questioned');
    await fan.page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
    await pay.click();
    expect(await fan.barcodes()).toHaveLength(2);
  });

  it('by a fan who is signed in needs no typing of the name and the address', async () => {
    const fan = await shop.visitor();
    await fan.open('/sign-in');
    await fan.page.getByRole('button', { name: /a new fan/ }).click();
    await fan.heading('My tickets').waitFor();
    await fan.choose('Open training session', { 'Free entry': 1 });
    await fan.page.getByRole('link', { name: 'Get your tickets' }).click();
    expect(await fan.page.getByLabel('First name').inputValue()).toBe('Robin');
    expect(await fan.page.getByLabel('Last name').inputValue()).toBe('Newcomer');
    expect(await fan.page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('robin@example.com');
    await fan.page.getByRole('button', { name: 'Get your tickets' }).click();
    expect(await fan.barcodes()).toHaveLength(1);
  });

  it('with seats names the show, its day and the seats, and the theatre has terms of its own', async () => {
    const visitor = await shop.theatreVisitor();
    await visitor.open('/');
    await visitor.page.getByText('Choose a show and your seats').waitFor();
    await visitor.page.getByRole('link', { name: show, exact: true }).click();
    await visitor.page.getByRole('combobox', { name: 'Full price' }).first().selectOption('2');
    await visitor.page.getByRole('button', { name: /^Take the best seats/ }).click();
    await visitor.page.getByRole('link', { name: 'Go to the payment' }).click();
    const line = visitor.page.getByRole('region', { name: 'Your order' }).getByRole('listitem').first();
    await line.getByText(show).waitFor();
    expect(await line.innerText()).toMatch(/\d{4}, \d+:\d\d [ap]m.*\n\w.*, row \w+, seats \d+ and \d+/);
    await visitor.page.getByText('you accept the terms of Lantern Theatre').click();
    await visitor.page.getByText('Latecomers are seated').waitFor();
    await visitor.inspect('checkout-seats');
  });
});
