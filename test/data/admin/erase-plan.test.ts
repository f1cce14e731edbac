import { expect, it } from 'vitest';
import { rowPut } from '../../../shared/data/members/change.ts';
import { readConsent } from '../../../shared/data/plans/plans.ts';
import { savedCustomersOf } from '../../../shared/data/plans/saved-customers.ts';
import { readRenewal, renewalPut } from '../../../shared/data/renewals/renewals.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { newRenewal } from '../../../shared/domain/renewals/renewal.ts';
import { givenAdmin } from '../../support/admin.ts';
import { checkOutWith, checkoutDepsOf, noonUnix } from '../../support/baskets.ts';
import { givenRenewalBasket } from '../../support/memberships.ts';
import { buyInInstalments, givenInstalmentType, planOf, sixMonthly, sweepWhenDue } from '../../support/plans.ts';
import { memberOf, renewalOf, saveCard } from '../../support/renewals.ts';

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
  const after = await sweepWhenDue(deps, planId, 2);
  expect(after.instalments[1]).toMatchObject({ status: 'action_required', failure: 'method_missing' });
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
