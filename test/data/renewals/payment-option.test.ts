import { beforeAll, describe, expect, it } from 'vitest';
import { setAutoRenew } from '../../../shared/charges/set-auto-renew.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { changeMember } from '../../../shared/data/members/change.ts';
import type { TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import { readSavedCustomer } from '../../../shared/data/plans/saved-customers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Holder } from '../../../shared/domain/baskets/line-item.ts';
import { paymentOptions } from '../../../shared/domain/plans/payment-choice.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { givenConfig, paymentOption } from '../../../tools/fixtures/membership.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith, newCheckoutDeps, noonUnix, type TestCheckoutDeps } from '../../support/baskets.ts';
import { givenMembershipBasket, givenRenewalBasket, givenType, person } from '../../support/memberships.ts';
import { announceTwice, keptMinor, memberOf, renewAt, renewalOf } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const agreed = { optionId: 'renewing', hasConsent: true, consentText: 'Renew it every year.' };

async function givenRenewingOption(deps: TestCheckoutDeps, fields: Partial<TypeRecord> = {}): Promise<TypeRecord> {
  await givenOrganisation(table, deps.orgId);
  await givenConfig(
    table,
    deps.orgId,
    paymentOption('once'),
    paymentOption('renewing', { autoRenewal: 1, orderBy: 1 }),
  );
  return givenType(table, deps.orgId, fields);
}

async function buyRenewing(deps: TestCheckoutDeps, type: TypeRecord, holders: readonly Holder[] = []) {
  const result = await checkOutWith(deps, await givenMembershipBasket(deps, type, holders), { payment: agreed });
  if (result.outcome !== 'confirmed') throw new Error(JSON.stringify(result));
  const { memberships, order } = result.placed;
  return { order, memberIds: memberships.map(({ memberId }) => memberId), memberId: memberships[0]?.memberId ?? 0 };
}

describe('a payment option that renews the membership', () => {
  it('needs consent, saves the card with the payment, and is charged at the end of the term', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenRenewingOption(deps);
    const basketId = await givenMembershipBasket(deps, type);
    const basket = await readBasket(table, deps.orgId, basketId);
    expect(basket && paymentOptions(basket, noonUnix)).toMatchObject([
      { optionId: 'once', autoRenewal: false },
      { optionId: 'renewing', autoRenewal: true, dueNowMinor: 24_050, later: [] },
    ]);
    const unasked = { payment: { ...agreed, hasConsent: false } };
    expect(await checkOutWith(deps, basketId, unasked)).toMatchObject({ refusal: { reason: 'consent_missing' } });
    const { memberId, order } = await buyRenewing(deps, type);
    expect(await memberOf(deps, memberId)).toMatchObject({ autoRenew: true, statusId: 1, planId: null });
    const renewal = await renewalOf(deps, memberId);
    expect(renewal).toMatchObject({
      isOn: true,
      optionId: 'renewing',
      memberIds: [memberId],
      userId: order.userId,
      consent: { text: 'Renew it every year.', givenUnix: noonUnix, requestId: 'req-1' },
      saved: { paymentMethod: 'pm_card_visa', provider: 'sandbox' },
    });
    const known = await readSavedCustomer(table, deps.orgId, { userId: order.userId ?? 0, account: null });
    expect(known?.customer).toBe(renewal.saved?.customer);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await renewAt(deps, await announceTwice(deps, memberId));
    expect(await keptMinor(deps)).toBe(2 * 24_050);
    // The renewal is no new consent.
    expect(await renewalOf(deps, memberId)).toMatchObject({ isOn: true, consent: { givenUnix: noonUnix } });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of a family makes one record for all of them', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenRenewingOption(deps, { persons: 2 });
    const { memberIds } = await buyRenewing(deps, type, [person('Ada'), person('Anne')]);
    const [first = 0, second = 0] = memberIds;
    expect(await renewalOf(deps, first)).toEqual(await renewalOf(deps, second));
    expect((await renewalOf(deps, first)).memberIds).toHaveLength(2);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of a renewal replaces what was agreed to before', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId } = await buyRenewing(deps, await givenRenewingOption(deps));
    await setAutoRenew(deps, { memberId, consentText: null });
    deps.nowUnix += 86_400;
    const basketId = await givenRenewalBasket(deps, memberId);
    const payment = { ...agreed, consentText: 'Yes, again.' };
    expect(await checkOutWith(deps, basketId, { payment })).toMatchObject({ outcome: 'confirmed' });
    expect(await renewalOf(deps, memberId)).toMatchObject({ isOn: true, consent: { text: 'Yes, again.' } });
    expect((await memberOf(deps, memberId)).autoRenew).toBe(true);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('can be chosen by the new owner of a membership whose record the former one has left', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const { memberId } = await buyRenewing(deps, await givenRenewingOption(deps));
    const former = await renewalOf(deps, memberId);
    const ben = { firstName: 'Ben', lastName: 'New', emailAddress: 'ben@example.com' };
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'ben', ...ben });
    await changeMember(table, { orgId, memberId, nowUnix: deps.nowUnix, change: () => ({ userId }) });
    const basketId = await givenRenewalBasket(deps, memberId);
    const bought = await checkOutWith(deps, basketId, { payment: agreed, buyer: ben });
    expect(bought).toMatchObject({ outcome: 'confirmed' });
    const renewal = await renewalOf(deps, memberId);
    expect(renewal).toMatchObject({ isOn: true, userId, memberIds: [memberId] });
    expect(renewal.saved?.customer).not.toBe(former.saved?.customer);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('is not offered for a type that cannot be renewed, or that costs nothing', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenRenewingOption(deps, { termMonths: null });
    const offered = async (of: TypeRecord) => {
      const basket = await readBasket(table, deps.orgId, await givenMembershipBasket(deps, of));
      return basket && paymentOptions(basket, noonUnix).map(({ optionId }) => optionId);
    };
    expect(await offered(type)).toEqual(['once']);
    expect(await offered(await givenType(table, deps.orgId, { priceThousandths: 0 }, 'free'))).toEqual(['once']);
  });
});
