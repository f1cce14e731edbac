import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { match, type ShopRun, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';
import { type Bought, buy, callApi, eventOf, staffAt } from './staff.ts';

/** Only ends a hang: a busy machine answers slowly. */
const patiently = { timeout: 60_000 };
let shop: ShopRun;
let priceId: number | undefined;

beforeAll(async () => {
  shop = await startShopRun();
  ({ priceId } = await eventOf(shop, match));
});
afterAll(() => shop?.stop());

const twoTickets = (email: string, lastName: string): Promise<Bought> =>
  buy(shop, { item: { price_id: priceId, quantity: 2 }, email, lastName });

async function find({ page }: Visitor, text: string): Promise<void> {
  await page.getByRole('searchbox').fill(text);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: `Search: ${text}` }).waitFor();
}

describe('the search of the office', () => {
  it('finds an order by its number, the name and the address of the buyer, and a ticket by its barcode', async () => {
    const { orderId, barcodes } = await twoTickets('margaret.hamilton@example.com', 'Hamilton-Heafield');
    const staff = await staffAt(shop, '/office');
    const order = staff.page.getByRole('link', { name: `Order ${orderId}, Grace Hamilton-Heafield` });
    for (const text of [String(orderId), 'grace hamilton', 'margaret.hamilton@example.com']) {
      await find(staff, text);
      await order.waitFor();
    }
    await staff.inspect('office-found');
    await find(staff, barcodes[1]?.toLowerCase() ?? '');
    const ticket = staff.page.getByRole('link', { name: new RegExp(`^Ticket \\d+ of order ${orderId}$`) });
    await ticket.waitFor();
    const [, number = ''] = /Ticket (\d+)/.exec(await ticket.innerText()) ?? [];
    await find(staff, number);
    // The search says whose it is and whether it is valid, before the order is open. Only the first ticket has the buyer's name.
    const found = staff.page.getByRole('listitem').filter({ has: ticket });
    await found.getByText('no name · bought by Grace Hamilton-Heafield').waitFor();
    await found.getByText('Valid', { exact: true }).waitFor();
    await ticket.click();
    await staff.heading(`Order ${orderId}`).waitFor();
    await staff.page.goBack();
    await ticket.waitFor();
    await find(staff, 'Nobodyisnamedlikethis');
    await staff.page.getByText('Nothing matches').waitFor();
    await staff.inspect('office-found-nothing');
    // The same text again is another search.
    await twoTickets('nobody@example.com', 'Nobodyisnamedlikethis');
    const shown = async (): Promise<number> => {
      await find(staff, 'Nobodyisnamedlikethis');
      return staff.page.getByRole('heading', { name: 'Orders' }).count();
    };
    await expect.poll(shown, { interval: 1_000, timeout: 120_000 }).toBe(1);
  });

  it('finds a customer, and a member by the number on the card', async () => {
    await buy(shop, { item: { price_id: priceId, quantity: 1 }, email: 'katherine@example.com', lastName: 'Goble' });
    const Members = v.object({ data: v.array(v.object({ member_number: v.string(), last_name: v.string() })) });
    const [member] = v.parse(Members, await callApi(shop, '/members?limit=1')).data;
    const staff = await staffAt(shop, '/office');
    const number = member?.member_number ?? '';
    expect(number).toMatch(/^0/);
    // Nobody reads out the zeros.
    for (const text of [number, String(Number(number))]) {
      await find(staff, text);
      await staff.page.getByText(`Member ${number}`).waitFor();
    }
    await staff.page.getByRole('heading', { name: 'Members' }).waitFor();
    // The order of an imported member is one of another system, and no page of this one.
    const foreign = staff.page.getByText(/^Order MO-\d+ of another system$/);
    await staff.page
      .getByRole('link', { name: member?.last_name ?? '' })
      .first()
      .click();
    await staff.page.getByText(`member ${member?.member_number}`).waitFor();
    await foreign.waitFor();
    await staff.inspect('office-member');
    await find(staff, 'katherine@example.com');
    await staff.page.getByRole('heading', { name: 'Customers' }).waitFor();
    await staff.page.getByRole('link', { name: 'Grace Goble', exact: true }).click();
    await staff.heading('Grace Goble').waitFor();
    await staff.page.getByRole('link', { name: /^Order \d+, Grace Goble/ }).waitFor();
    await staff.page.getByText('No memberships').waitFor();
  });
});

describe('an order in the office', () => {
  it('is refunded in part after one question with the amount, and a second press does nothing', async () => {
    const { orderId } = await twoTickets('dorothy@example.com', 'Vaughan');
    const staff = await staffAt(shop, `/office/orders/${orderId}`);
    const { page } = staff;
    await staff.heading(`Order ${orderId}`).waitFor();
    await page.getByRole('button', { name: /^Refund everything: / }).waitFor();
    await staff.inspect('office-order');
    await page.getByRole('checkbox').first().check();
    const refund = page.getByRole('button', { name: /^Refund 1 ticket: / });
    const [, amount = ''] = /: (.*)/.exec(await refund.innerText()) ?? [];
    expect(amount).toMatch(/^\$\d+\.\d\d$/);
    await refund.click();
    const question = page.getByRole('dialog', { name: `Refund ${amount}?` });
    await question.getByText(`${amount} goes back to Grace Vaughan`).waitFor();
    await staff.inspect('office-refund-question');
    // Nothing happens without an answer.
    await question.getByRole('button', { name: 'Go back' }).click();
    await refund.click();
    // What is no amount is not 0, and nobody keeps more than the ticket cost.
    const fee = page.getByLabel('Cancellation fee for each, if any');
    for (const text of ['five', '1000']) {
      await fee.fill(text);
      await page.getByText('Write an amount that is not more than one of them cost, such as 2.50.').waitFor();
      expect(await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).isDisabled()).toBe(true);
    }
    await staff.inspect('office-refund-fee');
    await fee.fill('');
    await question.getByLabel('Reason').fill('Illness');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.route('**/refunds', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await question.getByRole('button', { name: `Refund ${amount}` }).dblclick();
    await question.getByRole('button', { name: 'One moment …' }).waitFor();
    await page.getByText(`${amount} goes back to Grace Vaughan.`).waitFor();
    expect(sent).toHaveLength(1);
    await page.getByText(`${amount}, returned`).waitFor();
    await page.getByText('Illness').waitFor();
    await page.getByText('Refunded', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Refund everything: ${amount}` }).waitFor();
    await staff.inspect('office-refunded');
  });

  it('is cancelled without a refund after one question with the amount that is kept', async () => {
    const { orderId } = await twoTickets('mary@example.com', 'Jackson');
    const staff = await staffAt(shop, `/office/orders/${orderId}`);
    const { page } = staff;
    await page.getByRole('button', { name: 'Cancel the order without a refund' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel the order without a refund?' });
    await question.getByText(/\$\d+\.\d\d stays with you/).waitFor();
    await question.getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByText('Cancelled. No money was returned.').waitFor();
    // The order and both tickets.
    await expect.poll(() => page.getByText('Cancelled', { exact: true }).count(), { timeout: 60_000 }).toBe(3);
    await staff.inspect('office-order-cancelled');
  });

  it('has tickets that get another name, with their documents', async () => {
    const { orderId } = await twoTickets('annie@example.com', 'Easley');
    const staff = await staffAt(shop, `/office/orders/${orderId}`);
    const { page } = staff;
    await page.getByRole('button', { name: 'Change the name' }).first().click();
    expect(await page.getByLabel('Last name').inputValue()).toBe('Easley');
    await page.getByLabel('First name').fill('Alan');
    await page.getByLabel('Last name').fill('Turing');
    await staff.inspect('office-rename');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByText(/^Alan Turing · /).waitFor();
    await page.getByText('The name is changed.').waitFor();
    await expect.poll(() => staff.focused(), patiently).toBe(`Order ${orderId}`);
    await page.getByRole('button', { name: 'Documents' }).last().click();
    const pdf = page.getByRole('link', { name: /^PDF of ticket/ });
    const document = await fetch((await pdf.getAttribute('href')) ?? '');
    expect([document.status, document.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
    await staff.inspect('office-ticket-documents');
  });
});

describe('the link of an order in the office', () => {
  it('is there to copy, and in a mail to the buyer', async () => {
    const { orderId } = await twoTickets('evelyn+50%&cc=x@example.com', 'Boyd');
    const staff = await staffAt(shop, `/office/orders/${orderId}`);
    const link = await staff.page.getByLabel(/^The page with all tickets/).inputValue();
    expect((await fetch(link)).status).toBe(200);
    await staff.page.context().grantPermissions(['clipboard-write']);
    await staff.page.getByRole('button', { name: 'Copy' }).click();
    await staff.page.getByText('Copied.').waitFor();
    const mail = await staff.page.getByRole('link', { name: 'Write a mail with it' }).getAttribute('href');
    expect(mail).toMatch(/^mailto:evelyn%2B50%25%26cc%3Dx@example\.com\?subject=[^&]+&body=[^&]+$/);
    expect(mail).toContain(encodeURIComponent('Hello '));
    expect(mail).toContain(encodeURIComponent(link));
    await staff.inspect('office-order-link');
  });
});

const Types = v.object({ data: v.array(v.object({ membership_type_id: v.number(), title: v.string() })) });

async function typeOf(title: string): Promise<number | undefined> {
  const { data } = v.parse(Types, await callApi(shop, '/membership_types'));
  return data.find((type) => type.title === title)?.membership_type_id;
}

/** How many amounts of a plan stand in more than one line. */
const brokenAmounts = `[...document.querySelectorAll('.instalments .amount')]
  .filter((one) => one.offsetHeight > 2 * parseFloat(getComputedStyle(one).fontSize)).length`;

describe('a customer in the office', () => {
  it('has orders, memberships and the plan by which they are paid', async () => {
    const { orderId } = await buy(shop, {
      item: { membership_type_id: await typeOf('Eleven games, adult'), quantity: 1 },
      email: 'joan@example.com',
      lastName: 'Clarke',
      payment: { membership_payment_option_id: 'six-monthly', consent: true, consent_text: 'Yes.' },
    });
    const staff = await staffAt(shop, `/office/orders/${orderId}`);
    const { page } = staff;
    await page.getByRole('checkbox', { name: /^Eleven games, adult/ }).waitFor();
    // One of six instalments is paid.
    await page.getByRole('button', { name: 'Refund everything: $30.00' }).waitFor();
    await staff.inspect('office-membership-order');
    await page.getByRole('link', { name: 'Grace Clarke' }).click();
    await staff.heading('Grace Clarke').waitFor();
    await page.getByRole('link', { name: `Order ${orderId}, Grace Clarke` }).waitFor();
    await page.getByText('Pays in instalments').waitFor();
    await page.getByText('$30.00 of $180.00 paid, $150.00 to come').waitFor();
    expect(await page.locator('.instalments > li').count()).toBe(6);
    await staff.inspect('office-customer');
  });

  it('has the plan of a family once', async () => {
    const holders = ['Anna', 'Boris', 'Clara', 'David'].map((first_name) => ({ first_name, last_name: 'Kovalevsky' }));
    const { orderId } = await buy(shop, {
      item: { membership_type_id: await typeOf('Family, two and two'), quantity: 1, holders },
      email: 'sofia@example.com',
      lastName: 'Kovalevsky',
      payment: { membership_payment_option_id: 'six-monthly', consent: true, consent_text: 'Yes.' },
    });
    const staff = await staffAt(shop, `/office/orders/${orderId}`);
    // A family is refunded together: of what it paid, and not of what one of them cost.
    await staff.page.getByRole('checkbox', { name: /Clara Kovalevsky/ }).check();
    expect(await staff.page.getByRole('checkbox', { name: /^Family/, checked: true }).count()).toBe(4);
    await staff.page.getByRole('button', { name: 'Refund 4 memberships: $70.00' }).waitFor();
    await staff.page.getByRole('link', { name: /^Grace Kovalevsky/ }).click();
    await staff.heading('Grace Kovalevsky').waitFor();
    await expect.poll(() => staff.page.getByText('Pays in instalments').count(), patiently).toBe(4);
    expect(await staff.page.getByText('$70.00 of $420.00 paid').count()).toBe(1);
    expect(await staff.page.getByText('The instalments of a membership above pay for this one, too.').count()).toBe(3);
    expect(await staff.page.evaluate(brokenAmounts)).toBe(0);
    await staff.inspect('office-customer-family');
    await staff.page.goBack();
    await staff.page.getByRole('button', { name: 'Refund everything: $70.00' }).click();
    const question = staff.page.getByRole('dialog');
    // An empty fee is none, and no mistake.
    expect(await question.getByLabel('Cancellation fee').getAttribute('aria-invalid')).toBe('false');
    await question.getByRole('button', { name: 'Refund $70.00' }).click();
    await expect
      .poll(
        () => staff.page.getByRole('checkbox', { name: /^Family.*(on its way|Refunded)/, disabled: true }).count(),
        patiently,
      )
      .toBe(4);
  });
});
