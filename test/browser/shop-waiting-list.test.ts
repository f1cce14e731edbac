import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { operatorTable } from '../support/operator-table.ts';
import { orgId, type ShopRun, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

const title = 'Cup final in Geelong';

/** An event with one ticket, which a fan has in the basket. Returns its path in the shop. */
async function givenLastTicket(): Promise<{ readonly path: string; readonly holder: Visitor }> {
  const table = operatorTable(shop.cloud);
  const { eventId } = await givenEvent(table, orgId, { title, statusId: 1, startUnix: farFutureUnix });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  await givenPrice(table, orgId, { eventId, categoryId, title: 'Last one', capacity: 1 });
  const holder = await shop.visitor();
  await holder.choose(title, { 'Last one': 1 });
  await holder.heading('Your basket').waitFor();
  return { path: `/events/${eventId}`, holder };
}

async function joinAs(path: string, email: string): Promise<Visitor> {
  const fan = await shop.visitor();
  await fan.open(path);
  await fan.page.getByText('All tickets are gone.').waitFor();
  await fan.inspect('waiting-list');
  await fan.page.getByLabel('Email address').fill(email);
  await fan.page.getByRole('button', { name: 'Join the waiting list' }).click();
  await fan.page.getByText('Confirm your place').waitFor();
  await fan.inspect('waiting-list-asked');
  return fan;
}

/** What the link of the mail does, which staff see in the office. */
async function confirmAs(fan: Visitor, staff: Visitor, email: string): Promise<void> {
  const line = staff.page.getByRole('listitem').filter({ hasText: email });
  await line.getByRole('button', { name: 'Link' }).click();
  await fan.page.goto(await line.getByLabel(/Link to send/).inputValue());
  await fan.heading('Confirm your place').waitFor();
  await fan.inspect('waiting-list-confirm');
  await fan.page.getByRole('button', { name: 'Join the waiting list' }).click();
  await fan.heading('You are on the waiting list').waitFor();
}

describe('the waiting list of the sample shop', () => {
  it('a fan joins and confirms the address, another leaves with one click, and the offer of the first is paid by its link', async () => {
    const { path, holder } = await givenLastTicket();
    const grace = await joinAs(path, 'grace@example.com');
    const alan = await joinAs(path, 'alan@example.com');
    const staff = await shop.visitor();
    await staff.open(`/office${path}/waiting`);
    await staff.page.getByRole('button', { name: /Sam of the box office/ }).click();
    await staff.heading('Waiting list').waitFor();
    await confirmAs(grace, staff, 'grace@example.com');
    await grace.inspect('waiting-list-joined');
    await confirmAs(alan, staff, 'alan@example.com');
    await alan.page.getByRole('link', { name: 'Leave the list' }).click();
    await alan.heading('Leave the waiting list').waitFor();
    await alan.inspect('waiting-list-leave');
    await alan.page.getByRole('button', { name: 'Leave the list' }).click();
    await alan.heading('You have left the list').waitFor();

    await holder.page.getByRole('button', { name: /^Remove/ }).click();
    await holder.page.getByText('Your basket is empty').waitFor();
    await staff.page.reload();
    const line = staff.page.getByRole('listitem').filter({ hasText: 'grace@example.com' });
    for (let look = 0; look < 60 && !(await line.innerText()).includes('has an offer'); look += 1) {
      await staff.page.waitForTimeout(500);
      await staff.page.reload();
      await line.waitFor();
    }
    expect(await staff.page.getByRole('listitem').filter({ hasText: 'alan@' }).innerText()).toContain('has left');
    await line.getByRole('button', { name: 'Link' }).click();
    const link = await line.getByLabel(/Link to send/).inputValue();
    await staff.inspect('office-waiting-list');
    await grace.page.goto(link);
    await grace.heading('Your basket').waitFor();
    await grace.pay('Visa ending in 4242', 'grace@example.com');
    expect(await grace.barcodes()).toHaveLength(1);
    await staff.page.reload();
    await staff.page.getByText('has bought').waitFor();
    for (const visitor of [holder, grace, alan, staff]) expect(visitor.mistakes).toEqual([]);
  });
});
