import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { givenOnSale } from '../../support/baskets.ts';
import type { ResponseWithHeaders } from '../../support/call-operation.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const orgId = 'org_shop';
const login = new IdentityProvider('https://login.example.com');
let table: Table;
let price: PriceRecord;
let shop: Shop;
let server: Shop;

beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  await saveProvider(table, orgId, login.asProvider());
  ({ price } = await givenOnSale(table, orgId));
  shop = new Shop(table, orgId, (await givenStorefrontToken(table, orgId)).text);
  server = new Shop(table, orgId, (await givenKey(table, orgId)).text);
});

const customerIn = ({ body }: ResponseWithHeaders): unknown =>
  v.parse(v.object({ order: v.object({ customer: v.unknown() }) }), body).order.customer;

/** The customer in the answers to a page (checkout, its repetition, retrieve-basket), and as an API key sees it. */
async function boughtBy(email: string, headers: Record<string, string> = {}) {
  const basket = await shop.opened();
  await shop.add(basket, price.priceId);
  const body = { customer: { email, first_name: 'Grace', last_name: 'Hopper' }, payment_method: 'pm_card_visa' };
  const sent = { body, headers, idempotencyKey: 'pay' };
  const answers = [await shop.checkOut(basket, sent), await shop.checkOut(basket, sent)];
  return {
    shown: [...answers.map((answer) => answer.body.customer), customerIn(await shop.retrieve(basket))],
    toServer: customerIn(await server.retrieve({ ...basket, token: undefined })),
  };
}

const hidden = { user_id: null, org_customer_id: null };

describe('the customer of an order that was bought on a page', () => {
  it('has no ids for whoever types an address, known or not', async () => {
    await givenCustomer(table, orgId, { orgCustomerId: 'C-76', emailAddress: 'ada@example.com' });
    for (const email of ['ada@example.com', 'nobody@example.com', 'nobody@example.com']) {
      const { shown, toServer } = await boughtBy(email);
      expect(shown).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ ...hidden, email })));
      expect(toServer).toMatchObject({ user_id: expect.any(Number), org_customer_id: expect.any(String) });
    }
  });

  it('has its ids in the checkout of the linked fan, and not for a fan who is not linked to it', async () => {
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-77', emailAddress: 'grace@example.com' });
    await saveLink(table, orgId, { issuer: login.issuer, subject: 'grace', userId, linkedUnix: 1 });
    const ids = { user_id: userId, org_customer_id: 'C-77' };
    const own = await boughtBy('other@example.com', { 'X-SSO-Token': login.token('grace') });
    expect(own.shown).toMatchObject([ids, ids, hidden]);
    const stranger = await boughtBy('grace@example.com', { 'X-SSO-Token': login.token('mallory') });
    expect(stranger.shown).toMatchObject([hidden, hidden, hidden]);
    expect(stranger.toServer).toMatchObject(ids);
  });
});
