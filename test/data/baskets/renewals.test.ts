import { beforeAll, describe, expect, it } from 'vitest';
import { handle as cancel } from '../../../functions/api/orders/cancel-order.ts';
import { handle as refund } from '../../../functions/api/orders/refund-order.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import { saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelOrder } from '../../../shared/operations/orders/cancel-order.ts';
import { refundOrder } from '../../../shared/operations/orders/refund-order.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { givenOnSale, noonUnix } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenType } from '../../support/memberships.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const orgId = 'org_renewals';
const login = new IdentityProvider('https://login.example.com');
let table: Table;
let type: TypeRecord;
let couple: TypeRecord;
let shop: Shop;
let server: Shop;
let userId: number;

beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  await saveProvider(table, orgId, login.asProvider({ providerId: 'login' }));
  type = await givenType(table, orgId);
  couple = await givenType(table, orgId, { persons: 2 }, 'couple');
  shop = new Shop(table, orgId, (await givenStorefrontToken(table, orgId)).text);
  server = new Shop(table, orgId, (await givenKey(table, orgId)).text);
  ({ userId } = await givenCustomer(table, orgId));
  await saveLink(table, orgId, { issuer: login.issuer, subject: 'ada', userId, linkedUnix: 0 });
});

async function givenMember(changes: Parameters<typeof aMember>[0] = {}): Promise<number> {
  const current = { typeId: type.typeId, statusId: 1, expiresUnix: noonUnix + 1_000, userId } as const;
  const member = aMember({ ...current, ...changes });
  await givenMembers(table, orgId, [member]);
  return member.memberId;
}

async function renewing(body: object, by = server, headers = {}) {
  const basket = await by.opened();
  return { basket, ...(await by.add(basket, 0, 1, { body: { quantity: 1, ...body }, headers })) };
}
const signedIn = (subject: string) => ({ 'X-SSO-Token': login.token(subject) });
const refusal = (status: number, code: string, param: string) => ({ status, body: { error: { code, param } } });

describe('add-basket-item with renews', () => {
  it('with the token of the linked fan, or with an API key, makes the next term of the member', async () => {
    for (const [by, headers] of [[shop, signedIn('ada')] as const, [server, {}] as const]) {
      const memberId = await givenMember();
      const { basket, body } = await renewing({ renews: memberId }, by, headers);
      expect(body).toMatchObject({
        total: 240.5,
        items: [{ kind: 'membership', membership_type_id: type.typeId, renews: [memberId], holders: [] }],
      });
      expect((await by.updateLine(basket, 1, { holders: [{ first_name: 'A', last_name: 'B' }] })).body).toMatchObject({
        error: { code: 'parameter_invalid', param: 'holders' },
      });
      const { status, body: order } = await by.checkOut(basket);
      expect([status, order]).toMatchObject([201, { memberships: [{ membership_member_id: memberId }] }]);
      expect(await readMember(table, orgId, memberId)).toMatchObject({ orderId: String(order.order_id), userId });
    }
  });

  it('nobody else renews a member with a storefront token, and a member that does not exist looks the same', async () => {
    const memberId = await givenMember();
    const theirs = await givenMember({ userId: (await givenCustomer(table, orgId)).userId });
    const refused = refusal(403, 'membership_not_proven', 'renews');
    expect(await renewing({ renews: memberId }, shop)).toMatchObject(refused);
    expect(await renewing({ renews: memberId }, shop, signedIn('mallory'))).toMatchObject(refused);
    expect(await renewing({ renews: theirs }, shop, signedIn('ada'))).toMatchObject(refused);
    expect(await renewing({ renews: 999_999 }, shop, signedIn('ada'))).toMatchObject(refused);
    expect(await renewing({ renews: await givenMember({ userId: null }) }, shop)).toMatchObject(refused);
  });

  it('a member of another organisation does not exist', async () => {
    const [other] = [aMember({ typeId: type.typeId, statusId: 1, expiresUnix: noonUnix + 1_000 })];
    await givenMembers(table, 'org_other', [other]);
    expect(await renewing({ renews: other.memberId })).toMatchObject(refusal(400, 'resource_missing', 'renews'));
    expect(await renewing({ renews: 'x' })).toMatchObject(refusal(400, 'resource_missing', 'renews'));
  });

  it('other parameters must agree with it', async () => {
    const renews = await givenMember();
    const { price } = await givenOnSale(table, orgId);
    const conflict = (param: string) => refusal(400, 'parameter_conflict', param);
    expect(await renewing({ renews, price_id: price.priceId })).toMatchObject(conflict('price_id'));
    expect(await renewing({ renews, membership_type_id: couple.typeId })).toMatchObject(conflict('membership_type_id'));
    const holders = [{ first_name: 'Ada', last_name: 'Lovelace' }];
    expect(await renewing({ renews, holders })).toMatchObject(conflict('holders'));
    expect((await renewing({ renews, membership_type_id: type.typeId })).status).toBe(200);
    expect(await renewing({ renews, quantity: 2 })).toMatchObject(refusal(400, 'parameter_invalid', 'quantity'));
    const { basket } = await renewing({ renews });
    expect(await server.add(basket, 0, 1, { body: { quantity: 1, renews } })).toMatchObject(
      refusal(409, 'membership_not_renewable', 'renews'),
    );
  });

  it.each([
    ['cancelled', { statusId: 3 }],
    ['without a type', { typeId: null }],
    ['that does not expire', { expiresUnix: null }],
  ] as const)('a member %s cannot be renewed', async (_, changes) => {
    expect(await renewing({ renews: await givenMember(changes) })).toMatchObject(
      refusal(409, 'membership_not_renewable', 'renews'),
    );
  });

  it('a type without months needs one that follows it, which must be on sale and last longer', async () => {
    const endsUnix = noonUnix + 1_000;
    const season = { termMonths: null, expiresUnix: endsUnix };
    const same = await givenType(table, orgId, season, 'same');
    const next = await givenType(table, orgId, { ...season, expiresUnix: endsUnix + 1_000 }, 'next');
    const memberOf = ({ typeId }: TypeRecord, expiresUnix = endsUnix) => givenMember({ typeId, expiresUnix });
    const notRenewable = refusal(409, 'membership_not_renewable', 'renews');
    expect(await renewing({ renews: await memberOf(same) })).toMatchObject(notRenewable);
    const followed = await givenType(table, orgId, { ...season, renewsAsTypeId: next.typeId }, 'followed');
    expect(await renewing({ renews: await memberOf(followed) })).toMatchObject({
      status: 200,
      body: { items: [{ membership_type_id: next.typeId }] },
    });
    expect(await renewing({ renews: await memberOf(followed, endsUnix + 1_000) })).toMatchObject(notRenewable);
    const later = await givenType(table, orgId, { availableFromUnix: noonUnix + 1 }, 'later');
    const early = await givenType(table, orgId, { ...season, renewsAsTypeId: later.typeId }, 'early');
    expect(await renewing({ renews: await memberOf(early) })).toMatchObject({
      body: { error: { code: 'membership_not_on_sale' } },
    });
  });

  it('imported members of a couple are named in holders and renewed together', async () => {
    const [one, other] = [await givenMember({ typeId: couple.typeId }), await givenMember({ typeId: couple.typeId })];
    const stranger = await givenMember({ userId: null });
    const together = (memberId: number) => ({ renews: one, holders: [{ membership_member_id: memberId }] });
    expect((await renewing(together(other), shop, signedIn('ada'))).body).toMatchObject({
      total: 240.5,
      items: [{ renews: [one, other] }],
    });
    expect(await renewing(together(stranger), shop, signedIn('ada'))).toMatchObject(
      refusal(403, 'membership_not_proven', 'holders[0].membership_member_id'),
    );
    const single = { renews: await givenMember(), holders: [{ membership_member_id: other }] };
    expect(await renewing(single)).toMatchObject(refusal(409, 'membership_not_renewable', 'renews'));
  });

  it('replaces needs the type that it becomes, and the fan who holds the membership', async () => {
    const gold = await givenType(table, orgId, { priceThousandths: 300_000 }, 'gold');
    const replaces = await givenMember();
    const body = { replaces, membership_type_id: gold.typeId };
    expect(await renewing({ replaces })).toMatchObject(refusal(400, 'parameter_missing', 'membership_type_id'));
    expect(await renewing({ ...body, renews: replaces })).toMatchObject(refusal(400, 'parameter_conflict', 'replaces'));
    const same = { replaces, membership_type_id: type.typeId };
    expect(await renewing(same)).toMatchObject(refusal(400, 'parameter_conflict', 'membership_type_id'));
    expect(await renewing({ ...body, membership_type_id: 7 })).toMatchObject(
      refusal(400, 'resource_missing', 'membership_type_id'),
    );
    expect(await renewing({ ...body, replaces: 7 })).toMatchObject(refusal(400, 'resource_missing', 'replaces'));
    expect(await renewing(body, shop)).toMatchObject(refusal(403, 'membership_not_proven', 'replaces'));
    const paying = { ...body, replaces: await givenMember({ statusId: 2 }) };
    expect(await renewing(paying)).toMatchObject(refusal(409, 'plan_open', 'replaces'));
    const { basket, body: quote } = await renewing(body, shop, signedIn('ada'));
    expect(quote).toMatchObject({ total: 300, items: [{ renews: [], replaces: [replaces], adjustments: [] }] });
    expect((await shop.checkOut(basket)).status).toBe(201);
    expect(await readMember(table, orgId, replaces)).toMatchObject({ typeId: gold.typeId });
    const back = await renewing({ replaces, membership_type_id: type.typeId });
    expect(back.body).toMatchObject({
      total: 0,
      items: [{ adjustments: [{ reason: 'replaced_term', source: null, amount: -300 }] }],
    });
  });

  it('a term that is followed by another is neither refunded nor cancelled', async () => {
    const first = await renewing({ membership_type_id: type.typeId });
    const { body: order } = await server.checkOut(first.basket);
    const [{ membership_member_id: renews }] = order.memberships as [{ membership_member_id: number }];
    await server.checkOut((await renewing({ renews })).basket);
    const call = { params: { order_id: String(order.order_id) }, body: {} };
    const at = { table, orgId, nowMs: noonUnix * 1000 };
    const problem = { details: [{ code: 'later_term_exists', param: 'membership_member_ids' }] };
    await expect(callHandler(refundOrder, refund, call, at)).rejects.toMatchObject(problem);
    await expect(callHandler(cancelOrder, cancel, call, at)).rejects.toMatchObject(problem);
  });
});
