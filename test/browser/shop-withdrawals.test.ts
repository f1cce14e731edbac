import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ShopRun, startShopRun } from './shop-run.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

async function call(path: string, body?: object): Promise<unknown> {
  const headers = {
    Authorization: `Bearer ${shop.run.organisations[0]?.api_key}`,
    'Content-Type': 'application/json',
  };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  return (await fetch(`${shop.run.url}/v1${path}`, request)).json();
}

const Types = v.object({
  data: v.array(v.object({ membership_type_id: v.number(), persons: v.number(), status: v.number() })),
});

/** A membership of the demo that a guest has bought. Returns the order. */
async function givenOrder(email: string): Promise<number> {
  const types = v.parse(Types, await call('/membership_types')).data;
  const type = types.find(({ persons, status }) => persons === 1 && status === 1);
  const { id } = v.parse(v.object({ id: v.string() }), await call('/baskets', { org: 'org_harbourfc' }));
  await call(`/baskets/${id}/items`, { membership_type_id: type?.membership_type_id, quantity: 1 });
  const customer = { email, first_name: 'Ada', last_name: 'Lovelace' };
  const order = await call(`/baskets/${id}/checkout`, { customer, payment_method: 'pm_card_visa' });
  return v.parse(v.object({ order_id: v.number() }), order).order_id;
}

describe('the withdrawal of the sample shop', () => {
  it('is two steps from the foot of every page for a guest with a keyboard, confirmed by a link, and decided at once', async () => {
    const order = await givenOrder('withdrawing@example.com');
    const guest = await shop.visitor();
    for (const path of ['/', '/memberships', '/basket']) {
      await guest.open(path);
      await guest.page.getByRole('contentinfo').getByRole('link', { name: 'Withdraw from a purchase' }).waitFor();
    }
    await guest.page.getByRole('link', { name: 'Withdraw from a purchase' }).press('Enter');
    await guest.heading('Withdraw from a purchase').waitFor();
    await guest.inspect('withdraw');
    await guest.page.getByLabel('Order number').focus();
    await guest.page.keyboard.type(String(order));
    await guest.page.keyboard.press('Tab');
    await guest.page.keyboard.type('withdrawing@example.com');
    await guest.page.keyboard.press('Enter');
    await guest.heading('Confirm your withdrawal').waitFor();
    await guest.inspect('withdraw-confirm');
    await guest.page.getByRole('button', { name: 'Confirm withdrawal' }).press('Enter');
    await guest.heading('Look into your mail').waitFor();
    await guest.inspect('withdraw-sent');

    const staff = await shop.visitor();
    await staff.open('/office/withdrawals');
    await staff.page.getByRole('button', { name: /Sam of the box office/ }).click();
    await staff.heading('Withdrawals').waitFor();
    const line = staff.page.getByRole('listitem').filter({ hasText: `Order ${order}` });
    await line.getByRole('button', { name: 'Link' }).click();
    const link = await line.getByLabel(/Link to send/).inputValue();
    await staff.inspect('office-withdrawals');
    await guest.page.goto(link);
    await guest.heading('Is it your withdrawal?').waitFor();
    await guest.page.getByRole('button', { name: 'Yes, withdraw' }).press('Enter');
    await guest.heading('Your withdrawal is accepted').waitFor();
    await guest.inspect('withdraw-accepted');
    expect([...guest.mistakes, ...staff.mistakes]).toEqual([]);
  });
});
