import { expect, it } from 'vitest';
import { readConsent } from '../../../shared/data/plans/plans.ts';
import { savedCustomersOf } from '../../../shared/data/plans/saved-customers.ts';
import { givenAdmin } from '../../support/admin.ts';
import { checkoutDepsOf, noonUnix } from '../../support/baskets.ts';
import { buyInInstalments, givenInstalmentType, planOf, sweepWhenDue } from '../../support/plans.ts';

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
  expect(JSON.parse(stdout)).toMatchObject({ erased: { payment_plans: 2 } });
  expect(await readConsent(table, orgId, order.orderId)).toBeUndefined();
  expect(await savedCustomersOf(table, orgId, userId)).toEqual([]);
  expect(await planOf(deps, planId)).toMatchObject({ customer: null, paymentMethod: null });
  const after = await sweepWhenDue(deps, planId, 2);
  expect(after.instalments[1]).toMatchObject({ status: 'action_required', failure: 'method_missing' });
});
