import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith, decideInSandbox, prepareWith } from '../../support/baskets.ts';
import { givenRenewalBasket } from '../../support/memberships.ts';
import { sixMonthly } from '../../support/plans.ts';
import { keptMinor, memberOf } from '../../support/renewals.ts';
import { givenPaidShares } from '../../support/returned-shares.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('a renewal in a basket, while a refund returns a share of the old term and is refused then', () => {
  it('begins no second plan: the member owes the share of the first, and renews in instalments once it is paid', async () => {
    const { deps, memberId, planId, refund, payAgain } = await givenPaidShares(table);
    const basketId = await givenRenewalBasket(deps, memberId);
    await refund();
    expect(await checkOutWith(deps, basketId, sixMonthly)).toMatchObject({
      refusal: { reason: 'renewal_outdated', isPaid: false },
    });
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 2, planId });
    await payAgain();
    expect(await checkOutWith(deps, basketId, sixMonthly)).toMatchObject({ outcome: 'confirmed' });
    expect((await memberOf(deps, memberId)).planId).not.toBe(planId);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('may be paid at once: the member still owes the share of its plan', async () => {
    const { deps, memberId, planId, refund, payAgain } = await givenPaidShares(table);
    const basketId = await givenRenewalBasket(deps, memberId);
    await refund();
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 2, planId });
    await payAgain();
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 1, overdueSinceUnix: null });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('in instalments is returned if its payment had begun before', async () => {
    const { deps, memberId, planId, refund } = await givenPaidShares(table);
    const basketId = await givenRenewalBasket(deps, memberId);
    expect(await prepareWith(deps, basketId, sixMonthly)).toMatchObject({ outcome: 'prepared' });
    await refund();
    const before = await keptMinor(deps);
    await decideInSandbox(deps, basketId, 'approve');
    expect(await checkOutWith(deps, basketId, { paymentMethod: null })).toMatchObject({
      refusal: { reason: 'renewal_outdated', isPaid: true },
    });
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await keptMinor(deps)).toBe(before);
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 2, planId });
    expect(await termsOfMember(table, deps.orgId, memberId)).toHaveLength(1);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
