import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ShopRun, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

const monthSeconds = 32 * 86_400;

async function signedIn(name: RegExp): Promise<Visitor> {
  const fan = await shop.visitor();
  await fan.open('/sign-in');
  await fan.page.getByRole('button', { name }).click();
  await fan.heading('My tickets').waitFor();
  return fan;
}

/** Chooses a membership on the page of the club. */
async function chooseMembership(fan: Visitor, title: string): Promise<void> {
  await fan.page.getByRole('link', { name: 'Memberships', exact: true }).click();
  await fan.heading('Become a member').waitFor();
  await fan.page.getByRole('button', { name: `Choose ${title}` }).click();
}

/** Opens the page of the membership that was bought last. */
async function openLastMembership(fan: Visitor): Promise<void> {
  await fan.page.getByRole('link', { name: 'My tickets' }).click();
  await fan.page
    .getByRole('link', { name: /^Manage membership/ })
    .last()
    .click();
  await fan.heading('My membership').waitFor();
}

/** What is on the cards of a page. */
async function cardsOn(fan: Visitor): Promise<readonly string[]> {
  await fan.page
    .getByRole('img', { name: /^Card of member/ })
    .first()
    .waitFor();
  return fan.page.locator('.ticket').allInnerTexts();
}

/** Calls the API with the key of the club's server. */
async function call(path: string, body?: object): Promise<unknown> {
  const { url, organisations, sso } = shop.run;
  const headers = {
    Authorization: `Bearer ${organisations[0]?.api_key}`,
    'Content-Type': 'application/json',
    ...(path.endsWith('/checkout') && { 'X-SSO-Token': sso.linked_token }),
  };
  const response = await fetch(
    `${url}/v1${path}`,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  );
  const answer = await response.json();
  expect(response.ok, `${path}: ${JSON.stringify(answer)}`).toBe(true);
  return answer;
}

const Types = v.object({ data: v.array(v.object({ membership_type_id: v.number(), title: v.string() })) });

async function typeOf(title: string): Promise<number | undefined> {
  const { data } = v.parse(Types, await call('/membership_types'));
  return data.find((type) => type.title === title)?.membership_type_id;
}

/** A membership of the fan with tickets, who signs in later. */
async function buyAsLinkedFan(title: string, payment: object): Promise<void> {
  const { org_id } = shop.run.organisations[0] ?? {};
  const { id } = v.parse(v.object({ id: v.string() }), await call('/baskets', { org: org_id }));
  await call(`/baskets/${id}/items`, { membership_type_id: await typeOf(title), quantity: 1 });
  const customer = { email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper' };
  await call(`/baskets/${id}/checkout`, { customer, ...payment });
}

describe('memberships in the sample shop', () => {
  it('are bought for a family in instalments, shown with card, terms and plan, and cancelled at the end', async () => {
    const fan = await signedIn(/a new fan/);
    await chooseMembership(fan, 'Family, two and two');
    await fan.page.getByRole('group', { name: 'Person 1' }).waitFor();
    await expect.poll(() => fan.focused(), { timeout: 120_000 }).toBe('First name');
    for (const [index, name] of ['Ada', 'Byron', 'Anne', 'Ralph'].entries()) {
      const person = fan.page.getByRole('group', { name: `Person ${index + 1}` });
      await person.getByLabel('First name').fill(name);
      await person.getByLabel('Last name').fill('Lovelace');
    }
    await fan.inspect('memberships');
    await fan.page.getByRole('button', { name: 'Add to the basket' }).click();
    await fan.heading('Your basket').waitFor();
    await fan.page.getByText('For Ada Lovelace, Byron Lovelace, Anne Lovelace, Ralph Lovelace').waitFor();
    await fan.inspect('membership-basket');
    await fan.page.getByRole('link', { name: 'Go to the payment' }).click();
    await fan.fillIn('family@example.com');
    await fan.page.getByLabel(/^Six monthly instalments/).check();
    // Nothing is charged later without the consent of the buyer.
    const pay = fan.page.getByRole('button', { name: 'Pay $70.00' });
    await pay.click();
    expect(await fan.page.locator('input[name=consent]:invalid').count()).toBe(1);
    await fan.page.getByRole('checkbox', { name: /^I agree: You may charge my card \$70/ }).check();
    await fan.inspect('membership-checkout');
    await pay.click();
    await fan.heading('See you there!').waitFor();
    expect(await cardsOn(fan)).toHaveLength(4);
    await fan.inspect('membership-confirmation');
    await openLastMembership(fan);
    const plan = fan.page.getByRole('region', { name: 'Instalments' });
    await plan.getByText('$70.00 of $420.00 paid').waitFor();
    // Whose card it is, and which card pays: one for the family.
    await fan.page
      .locator('.own-card')
      .getByText(/^(Ada|Byron|Anne|Ralph) Lovelace$/)
      .waitFor();
    await fan.page.getByText('Charged to Visa ending in 4242').waitFor();
    // The next season is not on sale yet.
    await fan.page.getByText(/^You can renew it from .* on\.$/).waitFor();
    expect(await fan.page.getByRole('button', { name: 'Renew for the next term' }).count()).toBe(0);
    expect(await plan.getByRole('listitem').allInnerTexts()).toHaveLength(6);
    await fan.page.getByRole('region', { name: 'What you bought' }).getByText('$105.00').waitFor();
    await fan.inspect('membership');
    await fan.page.getByRole('button', { name: 'Cancel at the end' }).click();
    await fan.page.getByRole('button', { name: 'Yes, cancel at the end' }).click();
    await fan.page.getByText('You have cancelled this membership').waitFor();
    await fan.inspect('membership-cancelled');
    await fan.page.reload();
    await fan.page.getByText('You have cancelled this membership').waitFor();
  });

  it('alone are paid at once with 3-D Secure, and the buyer becomes the member', async () => {
    const fan = await shop.visitor();
    await fan.open('/memberships');
    await chooseMembership(fan, 'Three games');
    await fan.heading('Your basket').waitFor();
    await fan.pay('Visa with 3-D Secure', 'three@example.com');
    await fan.page.getByRole('button', { name: 'Approve' }).click();
    await fan.heading('See you there!').waitFor();
    expect(await cardsOn(fan)).toEqual([expect.stringContaining('Ada Lovelace')]);
    await fan.open('/memberships/1');
    await fan.page.getByText('Sign in to see your membership.').waitFor();
  });

  it('are changed to another type, renewed, and renew themselves when the fan agrees and saves a card', async () => {
    await buyAsLinkedFan('Three games', { payment_method: 'pm_card_visa' });
    const fan = await signedIn(/a fan with tickets/);
    await openLastMembership(fan);
    const terms = fan.page.getByRole('region', { name: 'What you bought' }).getByRole('listitem');
    await fan.page.getByLabel('Change to another membership').selectOption({ label: 'Eleven games, adult, $180.00' });
    await fan.page.getByRole('button', { name: 'See what it costs' }).click();
    await fan.heading('Your basket').waitFor();
    await fan.page.getByText('In place of your membership: $180.00 less').waitFor();
    await fan.inspect('membership-change');
    await fan.pay('Visa ending in 4242', 'grace@example.com');
    await fan.heading('See you there!').waitFor();
    await openLastMembership(fan);
    await fan.page.getByRole('button', { name: 'Renew for the next term' }).click();
    await fan.heading('Your basket').waitFor();
    await fan.page.getByText('The next term of your membership').waitFor();
    await fan.inspect('membership-renewal');
    await fan.pay('Visa ending in 4242', 'grace@example.com');
    await fan.heading('See you there!').waitFor();
    await openLastMembership(fan);
    await terms.nth(2).waitFor();
    expect(await terms.first().innerText()).toContain('changed');
    // Without a card it would be refused, so it is not offered.
    const renew = fan.page.getByRole('button', { name: 'Switch auto-renewal on' });
    await fan.page.getByText('Save a card first').waitFor();
    expect(await renew.count()).toBe(0);
    await fan.page.getByRole('button', { name: 'Save this card' }).click();
    await fan.page.getByText('Your card is saved.').waitFor();
    await fan.page.getByText('Charged to Visa ending in 4242, valid until 12/2039').waitFor();
    await renew.click();
    expect(await fan.page.locator('input[name=renewal-consent]:invalid').count()).toBe(1);
    await fan.page.getByRole('checkbox', { name: /^I agree: You may renew my membership/ }).check();
    await renew.click();
    await fan.page.getByText('Your membership renews itself on').waitFor();
    await fan.inspect('membership-renewing');
    await fan.page.getByRole('button', { name: 'Switch auto-renewal off' }).click();
    await fan.page.getByText('Your membership does not renew itself any more.').waitFor();
  });

  // It moves the clock, and with it the fan's token expires.
  it('whose instalment is declined are in arrears in the office, until the fan pays with 3-D Secure', async () => {
    await buyAsLinkedFan('Eleven games, adult', {
      payment_method: 'pm_card_chargeCustomerFail',
      membership_payment_option_id: 'six-monthly',
      consent: true,
      consent_text: 'Yes.',
    });
    shop.cloud.clock.advance(monthSeconds);
    const Overdue = v.object({ data: v.array(v.unknown()) });
    const overdue = async () => v.parse(Overdue, await call('/members/overdue')).data.length;
    await expect.poll(overdue, { timeout: 90_000, interval: 1_000 }).toBe(1);
    const staff = await shop.visitor();
    await staff.open('/office');
    await staff.page.getByRole('button', { name: /Sam of the box office/ }).click();
    await staff.page.getByRole('link', { name: 'Arrears' }).click();
    await staff.heading('Members in arrears').waitFor();
    const debt = staff.page.getByRole('main').getByRole('listitem');
    await debt.first().waitFor();
    expect(await debt.innerText()).toMatch(/Grace Hopper.*\$30\.00 since/s);
    await staff.inspect('office-arrears');
    const fan = await signedIn(/a fan with tickets/);
    await openLastMembership(fan);
    await fan.page.getByText('declined: we try again').waitFor();
    await fan.inspect('membership-declined');
    await fan.page.getByText('Charged to Visa ending in 0341').waitFor();
    const plan = fan.page.getByRole('region', { name: 'Instalments' });
    await plan.getByLabel('Visa without money').check();
    await fan.page.getByRole('button', { name: 'Pay $30.00' }).click();
    await fan.page.getByText('The payment did not go through').waitFor();
    await plan.getByLabel('Visa with 3-D Secure').check();
    await plan.getByLabel('Charge my later instalments to this card too').check();
    await fan.page.getByRole('button', { name: 'Pay $30.00' }).click();
    await fan.page.getByRole('button', { name: 'Approve' }).click();
    await fan.page.getByText('The instalment is paid').waitFor();
    await fan.inspect('membership-paid');
    await staff.page.reload();
    await staff.page.getByText('Nobody is in arrears').waitFor();
    await fan.page.getByText('Use another card').click();
    await fan.page.getByRole('button', { name: 'Save this card' }).click();
    await fan.page.getByText('Your card is saved.').waitFor();
  });
});
