import { beforeAll, describe, expect, it } from 'vitest';
import { handle as listTerms } from '../../../functions/api/members/list-member-terms.ts';
import { handle as refund } from '../../../functions/api/orders/refund-order.ts';
import { handle as retrieveOrderOf } from '../../../functions/api/orders/retrieve-order.ts';
import type { TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listMemberTerms } from '../../../shared/operations/members/list-member-terms.ts';
import { refundOrder } from '../../../shared/operations/orders/refund-order.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { givenConfig, paymentOption } from '../../../tools/fixtures/membership.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { chargesOf, checkoutDepsOf, givenOnSale, noonUnix } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenType } from '../../support/memberships.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const orgId = 'org_memberships';
let table: Table;
let single: TypeRecord;
let couple: TypeRecord;
let shop: Shop;
let server: Shop;

beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  single = await givenType(table, orgId, { priceThousandths: 240_500 });
  couple = await givenType(table, orgId, { persons: 2, priceThousandths: 300_000 }, 'couple');
  shop = new Shop(table, orgId, (await givenStorefrontToken(table, orgId)).text);
  server = new Shop(table, orgId, (await givenKey(table, orgId)).text);
});

const ada = { first_name: 'Ada', last_name: 'Lovelace' };
const byron = { first_name: 'Byron', last_name: 'Lovelace', email: 'b@example.com', date_of_birth: '2001-02-03' };
const call = { nowMs: noonUnix * 1000 };

async function adding(body: object, by = server) {
  const basket = await by.opened();
  return { basket, ...(await by.add(basket, 0, 1, { body: { quantity: 1, ...body } })) };
}

describe('add-basket-item with a membership', () => {
  it('with a storefront token and with a key, the order has the memberships of a couple, and no event', async () => {
    for (const by of [shop, server]) {
      const { basket, body } = await adding({ membership_type_id: couple.typeId, holders: [ada, byron] }, by);
      expect(body).toMatchObject({
        event_id: null,
        currency: 'AUD',
        total: 300,
        items: [
          { kind: 'membership', price_id: null, membership_type_id: couple.typeId, quantity: 1, holders: [ada, byron] },
        ],
      });
      const { status, body: order } = await by.checkOut(basket);
      expect([status, order]).toMatchObject([
        201,
        {
          event_id: null,
          total: 300,
          tickets: [],
          memberships: [
            { ...ada, membership_type_id: couple.typeId, price: 150, fees: 0, discount: 0, type_title: couple.title },
            { first_name: 'Byron', price: 150 },
          ],
        },
      ]);
      const params = { order_id: String(order.order_id) };
      const retrieved = await callHandler(retrieveOrder, retrieveOrderOf, { params }, { table, orgId });
      expect(retrieved).toMatchObject({ event_id: null, event_title: null, memberships: order.memberships });
    }
  });

  it('list-member-terms shows the term, and refund-order takes the member', async () => {
    const { basket } = await adding({ membership_type_id: single.typeId });
    const { body: order } = await server.checkOut(basket);
    const [{ membership_member_id }] = order.memberships as [{ membership_member_id: number }];
    const params = { membership_member_id: String(membership_member_id) };
    const terms = await callHandler(listMemberTerms, listTerms, { params }, { table, orgId });
    expect(terms.data).toMatchObject([{ order_id: order.order_id, price: 240.5, currency: 'AUD', state: 'active' }]);
    const other = callHandler(listMemberTerms, listTerms, { params }, { table, orgId: 'org_other' });
    await expect(other).rejects.toMatchObject({ code: 'resource_not_found' });
    const refunding = (ids: readonly number[]) =>
      callHandler(
        refundOrder,
        refund,
        { params: { order_id: String(order.order_id) }, body: { membership_member_ids: ids } },
        { table, orgId, ...call },
      );
    await expect(refunding([7])).rejects.toMatchObject({
      details: [{ code: 'resource_missing', param: 'membership_member_ids' }],
    });
    expect(await refunding([membership_member_id])).toMatchObject({
      amount: 240.5,
      ticket_ids: [],
      membership_member_ids: [membership_member_id],
    });
    await expect(refunding([membership_member_id])).rejects.toMatchObject({
      details: [{ code: 'ticket_already_refunded', param: 'membership_member_ids' }],
    });
  });

  it.each([
    ['neither a price nor a type', () => ({}), 'parameter_missing', 'price_id'],
    ['both', () => ({ price_id: 1, membership_type_id: single.typeId }), 'parameter_conflict', 'membership_type_id'],
    ['an unknown type', () => ({ membership_type_id: 7 }), 'resource_missing', 'membership_type_id'],
    ['two at once', () => ({ membership_type_id: single.typeId, quantity: 2 }), 'parameter_invalid', 'quantity'],
    ['too few people', () => ({ membership_type_id: couple.typeId, holders: [ada] }), 'parameter_invalid', 'holders'],
    [
      'too many people',
      () => ({ membership_type_id: couple.typeId, holders: [ada, byron, ada] }),
      ...(['parameter_invalid', 'holders'] as const),
    ],
    ['no people', () => ({ membership_type_id: couple.typeId }), 'parameter_invalid', 'holders'],
    [
      'a person without a name',
      () => ({ membership_type_id: couple.typeId, holders: [ada, { first_name: 'B' }] }),
      ...(['parameter_invalid', 'holders[1]'] as const),
    ],
    [
      'a birth in the future',
      () => ({ membership_type_id: single.typeId, holders: [{ ...ada, date_of_birth: '2030-01-01' }] }),
      ...(['parameter_invalid', 'holders[0].date_of_birth'] as const),
    ],
  ] as const)('%s is refused and names the parameter', async (_, body, code, param) => {
    const added = await adding(body());
    expect([added.status, added.body]).toMatchObject([400, { error: { code, param } }]);
    expect((await server.retrieve(added.basket)).body).toMatchObject({ items: [] });
  });

  it.each([
    ['inactive', { status: 0 }],
    ['not shown online', { showOnline: 0 }],
    ['without a currency', { currency: null }],
    ['not on sale yet', { availableFromUnix: noonUnix + 1 }],
    ['not on sale any more', { availableUntilUnix: noonUnix }],
    ['expired', { termMonths: null, expiresUnix: noonUnix }],
  ] as const)('a type that is %s is refused', async (code, fields) => {
    const type = await givenType(table, orgId, fields, code);
    const { status, body } = await adding({ membership_type_id: type.typeId });
    expect([status, body]).toMatchObject([
      409,
      { error: { code: 'membership_not_on_sale', param: 'membership_type_id' } },
    ]);
  });

  it('a storefront token does not find a type that is not shown, and a full one is sold out', async () => {
    const hidden = await givenType(table, orgId, { showOnline: 0 }, 'hidden');
    expect((await adding({ membership_type_id: hidden.typeId }, shop)).body).toMatchObject({
      error: { code: 'resource_missing', param: 'membership_type_id' },
    });
    const full = await givenType(table, orgId, { capacity: 0 }, 'none-left');
    expect(await adding({ membership_type_id: full.typeId }, shop)).toMatchObject({
      status: 409,
      body: { error: { code: 'sold_out', param: 'membership_type_id' } },
    });
  });

  it.each([
    ['without consent', { membership_payment_option_id: 'six' }, 'consent_missing', 'consent'],
    [
      'without the words that the buyer agreed to',
      { membership_payment_option_id: 'six', consent: true },
      ...(['consent_missing', 'consent'] as const),
    ],
    [
      'with a payment option of another type',
      { membership_payment_option_id: 'ten', consent: true, consent_text: 'Yes.' },
      ...(['payment_option_not_offered', 'membership_payment_option_id'] as const),
    ],
    [
      'with a payment option that does not exist',
      { membership_payment_option_id: 'eleven', consent: true, consent_text: 'Yes.' },
      ...(['resource_missing', 'membership_payment_option_id'] as const),
    ],
  ] as const)('a checkout %s is refused, and nothing is charged', async (_, choice, code, param) => {
    await givenConfig(table, orgId, ...['six', 'ten'].map((id) => paymentOption(id, { numberOfInstalments: 6 })));
    const type = await givenType(table, orgId, { paymentOptionCodes: ['six'] }, 'in-six');
    const { basket } = await adding({ membership_type_id: type.typeId }, shop);
    const before = await chargesOf(checkoutDepsOf(table, orgId));
    const customer = { email: 'ada@example.com', ...ada };
    const refused = await shop.checkOut(basket, { body: { customer, payment_method: 'pm_card_visa', ...choice } });
    expect([refused.status, refused.body]).toMatchObject([
      code === 'payment_option_not_offered' ? 409 : 400,
      { error: { code, param } },
    ]);
    expect(await chargesOf(checkoutDepsOf(table, orgId))).toEqual(before);
    expect((await shop.retrieve(basket)).body).toMatchObject({ status: 'open', items: [{ kind: 'membership' }] });
  });

  it("a checkout or payment with an unknown member, or another organisation's, is refused, and nothing is charged", async () => {
    const foreign = aMember();
    await givenMembers(table, 'org_foreign', [foreign]);
    const { basket } = await adding({ membership_type_id: single.typeId });
    const before = await chargesOf(checkoutDepsOf(table, orgId));
    for (const membership_member_id of [foreign.memberId, 999_999, '12ab', '0']) {
      const customer = { email: 'ada@example.com', ...ada, membership_member_id };
      const refused = [
        await server.checkOut(basket, { body: { customer, payment_method: 'pm_card_visa' } }),
        await server.prepare(basket, { body: { customer } }),
      ];
      for (const { status, body } of refused) {
        expect({ status, body }, String(membership_member_id)).toMatchObject({
          status: 400,
          body: { error: { param: 'customer.membership_member_id' } },
        });
      }
    }
    expect(await chargesOf(checkoutDepsOf(table, orgId))).toEqual(before);
    expect((await server.retrieve(basket)).body).toMatchObject({ status: 'open' });
  });

  it('a basket has memberships for at most four people and one currency, and the holder of a ticket no date of birth', async () => {
    const { basket } = await adding({ membership_type_id: couple.typeId, holders: [ada, byron] });
    const add = (body: object) => server.add(basket, 0, 1, { body: { quantity: 1, ...body } });
    await add({ membership_type_id: couple.typeId, holders: [ada, byron] });
    expect((await add({ membership_type_id: single.typeId })).body).toMatchObject({ error: { code: 'basket_full' } });
    const { price } = await givenOnSale(table, orgId);
    expect((await add({ price_id: price.priceId, quantity: 11 })).body).toMatchObject({
      error: { code: 'basket_full' },
    });
    expect((await add({ price_id: price.priceId, holders: [byron] })).body).toMatchObject({
      error: { code: 'parameter_invalid', param: 'holders[0]' },
    });
    expect((await add({ price_id: price.priceId, quantity: 10 })).body).toMatchObject({
      event_id: String(price.eventId),
    });
    expect((await server.remove(basket, price.priceId)).body).toMatchObject({ event_id: null, currency: 'AUD' });
    expect((await server.updateLine(basket, 1, { quantity: 2 })).body).toMatchObject({ error: { param: 'quantity' } });
    expect((await server.updateLine(basket, 1, { holders: [byron, ada] })).status).toBe(200);
    const euro = await givenType(table, orgId, { currency: 'EUR' }, 'euro');
    const other = await adding({ membership_type_id: single.typeId });
    const mixed = await server.add(other.basket, 0, 1, { body: { quantity: 1, membership_type_id: euro.typeId } });
    expect(mixed.body).toMatchObject({ error: { code: 'currency_mismatch', param: 'membership_type_id' } });
  });
});
