import { describe, expect, it } from 'vitest';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { rowPut } from '../../../shared/data/members/change.ts';
import { readOrder } from '../../../shared/data/orders/read.ts';
import { readConsent, savePlan } from '../../../shared/data/plans/plans.ts';
import { savedCustomersOf } from '../../../shared/data/plans/saved-customers.ts';
import { readRenewal, renewalPut } from '../../../shared/data/renewals/renewals.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { beginCharge, dropCharge } from '../../../shared/domain/plans/charge.ts';
import { newRenewal } from '../../../shared/domain/renewals/renewal.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { givenAdmin } from '../../support/admin.ts';
import { findingsOf } from '../../support/audit.ts';
import { ada, checkOutWith, checkoutDepsOf, noonUnix, shortTimeout } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { givenMembershipBasket, givenRenewalBasket } from '../../support/memberships.ts';
import {
  buyInInstalments,
  givenInstalmentType,
  planOf,
  sixMonthly,
  statusesOf,
  sweepWhenDue,
} from '../../support/plans.ts';
import { memberOf, renewalOf, saveCard, switchOn } from '../../support/renewals.ts';

const { table, admin } = await givenAdmin(() => noonUnix * 1000);
const orgId = 'org_eraseplan';

it('customer export shows the plan and the consent; customer erase removes consent and saved method, and nothing is charged', async () => {
  const deps = checkoutDepsOf(table, orgId);
  const { planId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
  const userId = order.userId ?? 0;
  const exported = JSON.parse((await admin('customer', 'export', orgId, String(userId), '--local')).stdout);
  expect(exported).toMatchObject({
    payment_plans: [{ plan_id: planId, payment_method: 'pm_card_visa', consent: { given: noonUnix } }],
  });
  const { stdout } = await admin('customer', 'erase', orgId, String(userId), '--yes', '--local', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ erased: { payment_plans: 1, provider_customers: 1 } });
  expect(await readConsent(table, orgId, order.orderId)).toBeUndefined();
  expect(await savedCustomersOf(table, orgId, userId)).toEqual([]);
  expect(await planOf(deps, planId)).toMatchObject({ customer: null, paymentMethod: null });
  expect(statusesOf(await planOf(deps, planId))).toEqual(['paid', ...Array.from({ length: 5 }, () => 'cancelled')]);
});

it('customer erase says what is open of a plan, and ends it with the membership: nobody owes it, and the seat is free', async () => {
  const deps = checkoutDepsOf(table, 'org_eraseopen');
  const { planId, memberId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
  const erase = () =>
    admin('customer', 'erase', deps.orgId, String(order.userId), '--user-id', '--yes', '--local', '--json');
  const open = { plan_id: planId, membership_member_ids: [memberId], outstanding: 200.4, currency: 'AUD', ended: true };
  expect(JSON.parse((await erase()).stdout)).toMatchObject({ open_plans: [open] });
  expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 3, autoRenew: false, overdueSinceUnix: null });
  const cancelled = (await eventsOf(deps)).filter(({ type }: { type: string }) => type === 'membership.cancelled');
  expect(JSON.stringify(cancelled)).not.toMatch(/Ada|Lovelace|example\.com/);
  expect(cancelled).toHaveLength(1);
  deps.nowUnix += 60;
  await sweepBaskets(deps);
  expect(await readOrder(table, deps.orgId, order.orderId)).toMatchObject({ writtenOffMinor: 20_040 });
  expect(await findingsOf(table, deps.orgId)).toEqual([]);
  expect(JSON.parse((await erase()).stdout)).toMatchObject({ open_plans: [] });
});

it('customer erase leaves a plan that is being charged, and says so; the next run ends it', async () => {
  const deps = checkoutDepsOf(table, 'org_erasecharged');
  const { planId, memberId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
  const plan = await planOf(deps, planId);
  const wanted = { number: 2, paymentMethod: null, requestId: null, nowUnix: deps.nowUnix };
  await savePlan(table, deps.orgId, plan, beginCharge(plan, wanted));
  const erase = async () =>
    (await admin('customer', 'erase', deps.orgId, String(order.userId), '--user-id', '--yes', '--local')).stdout;
  expect(await erase()).toContain(`200.40 AUD of the payment plan ${planId} are open, and were not ended`);
  const charged = await planOf(deps, planId);
  await savePlan(table, deps.orgId, charged, dropCharge(charged));
  expect(await erase()).toContain(`200.40 AUD of the payment plan ${planId} were open. The membership`);
  expect((await memberOf(deps, memberId)).statusId).toBe(3);
});

it('customer erase removes the plans and consents of earlier terms, and records that members have left', async () => {
  const deps = checkoutDepsOf(table, orgId);
  const { planId, memberId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
  for (const number of [2, 3, 4, 5, 6]) await sweepWhenDue(deps, planId, number);
  const renewed = await checkOutWith(deps, await givenRenewalBasket(deps, memberId), sixMonthly);
  expect(renewed).toMatchObject({ outcome: 'confirmed' });
  await saveCard(deps, memberId, 'pm_card_visa');
  const renewal = await renewalOf(deps, memberId);
  // The member has joined another record since.
  const member = await memberOf(deps, memberId);
  const other = renewalPut(table, orgId, newRenewal(7, renewal), { ...newRenewal(7, renewal), memberIds: [memberId] });
  await transact(table, [
    other.item,
    rowPut(table, orgId, { before: member, after: { ...member, renewalId: 7, version: member.version + 1 } }),
  ]);
  await admin('customer', 'erase', orgId, String(order.userId), '--yes', '--local');
  expect(await planOf(deps, planId)).toMatchObject({ customer: null, paymentMethod: null });
  expect(await readConsent(table, orgId, order.orderId)).toBeUndefined();
  expect(await readRenewal(table, orgId, memberId)).toMatchObject({ saved: null, consent: null });
});

describe('customer erase while the outcome of money is not known', () => {
  const again = ({ orgId }: { readonly orgId: string }, userId: number | null) =>
    admin('customer', 'erase', orgId, String(userId), '--user-id', '--yes', '--local');

  it.each(['refund-order', 'cancel-member'])(
    'says that a plan is open again if its refund is refused, which the audit finds; the next run ends it: %s',
    async (way) => {
      const deps = checkoutDepsOf(table, `org_erase${way.replace('-', '')}`);
      const type = await givenInstalmentType(deps);
      const { planId, memberId, order } = await buyInInstalments(deps, type, { paymentMethod: 'pm_card_refundFail' });
      const { orderId, userId } = order;
      await switchOn(deps, memberId, 'pm_card_visa');
      if (way === 'refund-order')
        await requestRefund(deps, { orderId, tickets: [], members: [memberId], reason: null }, () => []);
      else await cancelMembership(deps, { memberId, when: 'now', refund: 'all' }, () => []);
      const { stdout } = await again(deps, userId);
      expect(stdout).toContain(`refuses it, 200.40 AUD of the payment plan ${planId} are open again: erase again`);
      await executeRefunds(deps, orderId);
      expect(statusesOf(await planOf(deps, planId))[1]).toBe('planned');
      expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 2, autoRenew: false });
      const problem = 'It is open, and the person who owes it was erased.';
      expect(await findingsOf(table, deps.orgId)).toMatchObject([{ check: 'plans', problem }]);
      expect((await again(deps, userId)).stdout).toContain(`200.40 AUD of the payment plan ${planId} were open.`);
      await executeRefunds(deps, orderId);
      expect(await findingsOf(table, deps.orgId)).toEqual([]);
    },
  );

  it('says that the later instalments of a pending payment are open if it is made; the next run ends them', async () => {
    const deps = checkoutDepsOf(table, 'org_erasepaying', shortTimeout);
    const type = await givenInstalmentType(deps);
    const saved = await saveCustomer(table, deps.orgId, { orgCustomerId: 'C-1', ...ada }, noonUnix);
    const { userId } = 'customer' in saved ? saved.customer : { userId: null };
    const basketId = await givenMembershipBasket(deps, type);
    await checkOutWith(deps, basketId, { ...sixMonthly, paymentMethod: 'pm_card_late' });
    expect((await again(deps, userId)).stdout).toContain('What is to be paid later is open then: erase again.');
    deps.nowUnix += checkoutLeaseSeconds;
    await sweepBaskets(deps);
    expect(await findingsOf(table, deps.orgId)).toMatchObject([{ check: 'plans' }]);
    expect((await again(deps, userId)).stdout).toContain('were open. The membership');
    await executeRefunds(deps, basketId);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
