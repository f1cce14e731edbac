import { beforeAll, describe, expect, it } from 'vitest';
import { handle as listOrders } from '../../../functions/api/sso/list-sso-orders.ts';
import { readCustomer } from '../../../shared/data/customers/read.ts';
import { findLink, saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listSsoOrders } from '../../../shared/operations/sso/list-sso-orders.ts';
import type { SignedInFan } from '../../../shared/sales/deps.ts';
import { findSignedInUser } from '../../../shared/sso/find-signed-in-user.ts';
import { customersAt, givenCustomer } from '../../../tools/fixtures/customers.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import {
  ada,
  chargesOf,
  checkOutWith,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  noonUnix,
  prepareWith,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const trusted = new IdentityProvider('https://login.example.com');
const social = new IdentityProvider('https://social.example.com');
const victimAddress = ada.emailAddress;
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** A club that trusts the email addresses of one of its two identity providers, with a price on sale. */
async function givenClub(price: Parameters<typeof givenOnSale>[2] = {}) {
  const deps = newCheckoutDeps(table);
  const { orgId } = deps;
  await saveProvider(table, orgId, trusted.asProvider({ providerId: 'login', trustsEmail: true }));
  await saveProvider(table, orgId, social.asProvider({ providerId: 'social' }));
  const sold = await givenOnSale(table, orgId, price);
  const buy = async (proof: { signedIn?: SignedInFan; membershipMemberId?: number } = {}, buyer = ada) =>
    checkOutWith(deps, (await givenBasket(deps, sold.price)).basketId, { buyer, ...proof });
  return { deps, orgId, buy, ...sold };
}

/** What a checkout gets from the token of a fan. */
async function signIn({ orgId }: TestCheckoutDeps, ssoToken: string): Promise<SignedInFan> {
  const signedIn = await findSignedInUser(table, { orgId, token: ssoToken, nowMs: Date.now() });
  if (!('user' in signedIn)) throw new Error(signedIn.outcome);
  return { user: signedIn.user, userId: signedIn.outcome === 'linked' ? signedIn.userId : null };
}

const verified = (subject: string, email: string) =>
  trusted.token(subject, { claims: { email, email_verified: true } });

function userIdOf(result: Awaited<ReturnType<typeof checkOutWith>>): number {
  if (result.outcome !== 'confirmed') throw new Error(JSON.stringify(result));
  return result.customer?.userId ?? 0;
}

const ordersSeenBy = async (orgId: string, ssoToken: string) => {
  const { data } = await callHandler(listSsoOrders, listOrders, {}, { table, orgId, ssoToken });
  return Array.isArray(data) ? data.map(({ order_id }) => Number(order_id)) : [];
};

describe('an address that was typed at a checkout', () => {
  it('gives a fan without a link no access to the orders of its owner', async () => {
    const { deps, orgId, buy } = await givenClub();
    const victim = userIdOf(await buy());
    for (const token of [social.token('mallory'), trusted.token('mallory'), verified('mallory', 'm@example.com')]) {
      const signedIn = await signIn(deps, token);
      expect(userIdOf(await buy({ signedIn }))).toBe(victim);
      await expect(ordersSeenBy(orgId, token)).rejects.toMatchObject({ code: 'sso_user_not_linked' });
      expect(await findLink(table, orgId, signedIn.user)).toBeUndefined();
    }
  });

  it('gives a fan who typed it first no access to the later orders of its owner', async () => {
    const { deps, orgId, buy } = await givenClub();
    const token = social.token('mallory');
    const first = await buy({ signedIn: await signIn(deps, token) });
    const mallory = userIdOf(first);
    // The owner buys without a token, and another fan types the address too: neither order is Mallory's.
    const victim = userIdOf(await buy());
    expect(victim).not.toBe(mallory);
    expect(userIdOf(await buy({ signedIn: await signIn(deps, social.token('eve')) }))).toBe(victim);
    expect(await ordersSeenBy(orgId, token)).toEqual(first.outcome === 'confirmed' && [first.placed.order.orderId]);
    // The owner signs in and is linked to their own customer: Mallory's does not make the address ambiguous.
    const owner = await signIn(deps, verified('ada', victimAddress));
    expect(userIdOf(await buy({ signedIn: owner }))).toBe(victim);
    expect(await findLink(table, orgId, owner.user)).toMatchObject({ userId: victim });
  });

  it('gives no access to the memberships of a member with the address', async () => {
    const { deps, orgId, buy } = await givenClub({ membershipTypeId: 7 });
    await givenMembers(table, orgId, [aMember({ emailAddress: victimAddress, typeId: 7, statusId: 1 })]);
    const refused = { outcome: 'refused', refusal: { reason: 'membership_not_proven' } };
    expect(await buy()).toMatchObject(refused);
    expect(await buy({ signedIn: await signIn(deps, social.token('mallory')) })).toMatchObject(refused);
    expect(await chargesOf(deps)).toEqual([]);
  });
});

describe('checkout with the token of a fan', () => {
  it('makes the order for the customer of the fan, whatever was typed', async () => {
    const { deps, orgId, buy } = await givenClub();
    const { userId } = await givenCustomer(table, orgId, { emailAddress: 'grace@example.com' });
    await saveLink(table, orgId, { issuer: social.issuer, subject: 'grace', userId, linkedUnix: 1 });
    const result = await buy({ signedIn: await signIn(deps, social.token('grace')) });
    expect(userIdOf(result)).toBe(userId);
    expect(result).toMatchObject({ placed: { order: { userId, emailAddress: victimAddress } } });
    expect(await customersAt(table, orgId, victimAddress)).toEqual([]);
  });

  it('links a fan to the customer that the order creates', async () => {
    const { deps, orgId, buy } = await givenClub();
    const token = social.token('new');
    const userId = userIdOf(await buy({ signedIn: await signIn(deps, token) }));
    expect(await findLink(table, orgId, { issuer: social.issuer, subject: 'new' })).toMatchObject({ userId });
    expect(await readCustomer(table, orgId, userId)).toMatchObject({ isAddressUnproven: true, ownsAddress: false });
    expect(userIdOf(await buy({ signedIn: await signIn(deps, token) }))).toBe(userId);
    expect(await ordersSeenBy(orgId, token)).toHaveLength(2);
  });

  it('a customer created with a verified address owns it', async () => {
    const { deps, orgId, buy } = await givenClub();
    const userId = userIdOf(await buy({ signedIn: await signIn(deps, verified('ada', 'ADA@example.com')) }));
    expect(await readCustomer(table, orgId, userId)).toMatchObject({ isAddressUnproven: false, ownsAddress: true });
    expect(userIdOf(await buy())).toBe(userId);
  });

  it('links a fan to the only customer with the verified address, even if another address was typed', async () => {
    const { deps, orgId, buy } = await givenClub();
    const { userId } = await givenCustomer(table, orgId, { emailAddress: 'grace@example.com' });
    const grace = await signIn(deps, verified('grace', 'Grace@Example.com'));
    expect(userIdOf(await buy({ signedIn: grace }))).toBe(userId);
    expect(await findLink(table, orgId, grace.user)).toMatchObject({ userId });
  });

  it('links nothing while the payment fails', async () => {
    const { deps, orgId, price } = await givenClub();
    await givenCustomer(table, orgId, { emailAddress: 'grace@example.com' });
    const grace = await signIn(deps, verified('grace', 'grace@example.com'));
    const { basketId } = await givenBasket(deps, price);
    await checkOutWith(deps, basketId, { signedIn: grace, paymentMethod: 'pm_card_declined' });
    expect(await findLink(table, orgId, grace.user)).toBeUndefined();
  });

  it('two concurrent first orders of a fan make one customer', async () => {
    const { deps, orgId, buy } = await givenClub();
    const signedIn = await signIn(deps, social.token('new'));
    const [one, other] = await Promise.all([buy({ signedIn }), buy({ signedIn })]);
    expect(userIdOf(one)).toBe(userIdOf(other));
    expect(await customersAt(table, orgId, victimAddress)).toHaveLength(1);
  });

  it('repeats the order for the fan and for a page without a token, but not for another fan', async () => {
    const { deps, orgId, price } = await givenClub();
    const fans = await Promise.all(
      ['grace', 'mary'].map(async (subject) => {
        const { userId } = await givenCustomer(table, orgId, { emailAddress: `${subject}@example.com` });
        await saveLink(table, orgId, { issuer: social.issuer, subject, userId, linkedUnix: 1 });
        return signIn(deps, social.token(subject));
      }),
    );
    const [grace, mary] = fans;
    const { basketId } = await givenBasket(deps, price);
    const placed = await checkOutWith(deps, basketId, { signedIn: grace });
    expect(await checkOutWith(deps, basketId, { signedIn: grace })).toMatchObject({ outcome: 'confirmed' });
    expect(await checkOutWith(deps, basketId)).toMatchObject({ placed: 'placed' in placed && placed.placed });
    expect(await checkOutWith(deps, basketId, { signedIn: mary })).toMatchObject({
      refusal: { reason: 'checked_out' },
    });
  });

  it('a prepared payment belongs to the fan of the last request', async () => {
    const { deps, orgId, price } = await givenClub();
    const { userId } = await givenCustomer(table, orgId, { emailAddress: 'grace@example.com' });
    await saveLink(table, orgId, { issuer: social.issuer, subject: 'grace', userId, linkedUnix: 1 });
    const { basketId } = await givenBasket(deps, price);
    await prepareWith(deps, basketId);
    const grace = await signIn(deps, social.token('grace'));
    expect(await checkOutWith(deps, basketId, { signedIn: grace, paymentMethod: null })).toMatchObject({
      refusal: { reason: 'other_buyer' },
    });
    expect(await prepareWith(deps, basketId, { signedIn: grace })).toMatchObject({ outcome: 'prepared' });
  });
});

describe('a price for members', () => {
  const paid = { typeId: 7, statusId: 1 } as const;

  async function givenLinked(deps: TestCheckoutDeps): Promise<{ userId: number; signedIn: SignedInFan }> {
    const { orgId } = deps;
    const { userId } = await givenCustomer(table, orgId, { emailAddress: 'grace@example.com' });
    await saveLink(table, orgId, { issuer: social.issuer, subject: 'grace', userId, linkedUnix: 1 });
    return { userId, signedIn: await signIn(deps, social.token('grace')) };
  }

  it('is sold to a linked fan who holds the type, paid or by instalments', async () => {
    for (const statusId of [1, 2] as const) {
      const { deps, orgId, buy } = await givenClub({ membershipTypeId: 7 });
      const { userId, signedIn } = await givenLinked(deps);
      await givenMembers(table, orgId, [aMember({ ...paid, statusId, userId, expiresUnix: noonUnix + 1 })]);
      expect(userIdOf(await buy({ signedIn }))).toBe(userId);
    }
  });

  it('is not sold to a linked fan without a current paid membership of the type', async () => {
    const { deps, orgId, buy } = await givenClub({ membershipTypeId: 7 });
    const { userId, signedIn } = await givenLinked(deps);
    await givenMembers(table, orgId, [
      aMember({ ...paid, userId, typeId: 8 }),
      aMember({ ...paid, userId, statusId: 0 }),
      aMember({ ...paid, userId, statusId: 3 }),
      aMember({ ...paid, userId, expiresUnix: noonUnix }),
      aMember({ ...paid, userId: userId + 1 }),
      aMember({ ...paid, userId: null, emailAddress: 'grace@example.com' }),
    ]);
    expect(await buy({ signedIn })).toMatchObject({ refusal: { reason: 'membership_not_proven' } });
    expect(await chargesOf(deps)).toEqual([]);
  });

  it("is sold if the organisation's server vouches for a member of the type", async () => {
    const { orgId, buy } = await givenClub({ membershipTypeId: 7 });
    const [good, other] = [aMember(paid), aMember({ ...paid, typeId: 8 })];
    await givenMembers(table, orgId, [good, other]);
    for (const membershipMemberId of [other.memberId, good.memberId + 1]) {
      expect(await buy({ membershipMemberId })).toMatchObject({ refusal: { reason: 'membership_not_proven' } });
    }
    expect((await buy({ membershipMemberId: good.memberId })).outcome).toBe('confirmed');
  });

  it('is not sold for the membership of another organisation', async () => {
    const elsewhere = await givenClub();
    const { buy } = await givenClub({ membershipTypeId: 7 });
    const member = aMember(paid);
    await givenMembers(table, elsewhere.orgId, [member]);
    expect(await buy({ membershipMemberId: member.memberId })).toMatchObject({ outcome: 'refused' });
  });
});
