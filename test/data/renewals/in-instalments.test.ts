import { beforeAll, describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { paymentOptions } from '../../../shared/domain/plans/payment-choice.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { eventsOf, refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { buyMembership, givenRenewalBasket, givenType, renewMember } from '../../support/memberships.ts';
import {
  buyInInstalments,
  givenInstalmentType,
  planOf,
  sixMonthly,
  statusesOf,
  sweep,
  sweepWhenDue,
} from '../../support/plans.ts';
import {
  announcements,
  announceTwice,
  daySeconds,
  givenRenewing,
  keptMinor,
  memberOf,
  renewAt,
  renewalOf,
  switchOn,
} from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const optionsOf = async (deps: TestCheckoutDeps, basketId: number) => {
  const basket = await readBasket(table, deps.orgId, basketId);
  return basket === undefined ? [] : paymentOptions(basket, deps.nowUnix).map(({ optionId }) => optionId);
};

async function payAll(deps: TestCheckoutDeps, planId: number): Promise<void> {
  const { instalments } = await planOf(deps, planId);
  for (const { number } of instalments.slice(1)) await sweepWhenDue(deps, planId, number);
}

describe('a renewal in instalments', () => {
  it('is offered once the last plan is paid; the member has instalments again, and a refund returns to the paid term', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    expect(await optionsOf(deps, await givenRenewalBasket(deps, memberId))).toEqual([]);
    await payAll(deps, planId);
    const basketId = await givenRenewalBasket(deps, memberId);
    expect(await optionsOf(deps, basketId)).toEqual(['once', 'six']);
    expect((await memberOf(deps, memberId)).statusId).toBe(1);
    const result = await checkOutWith(deps, basketId, sixMonthly);
    expect(result).toMatchObject({ outcome: 'confirmed' });
    const renewed = await memberOf(deps, memberId);
    expect(renewed).toMatchObject({ statusId: 2, instalments: true });
    expect(renewed.planId).not.toBe(planId);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await refundOrder(deps, { orderId: basketId, tickets: [], members: [memberId] });
    deps.nowUnix += 61;
    await sweepBaskets(deps);
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 1, overdueSinceUnix: null });
    expect(statusesOf(await planOf(deps, renewed.planId ?? 0)).slice(1)).toEqual(
      Array.from({ length: 5 }, () => 'cancelled'),
    );
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of a membership that renews itself charges the first share, and plans the others', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await switchOn(deps, memberId, 'pm_card_visa');
    await payAll(deps, planId);
    const { expiresUnix } = await memberOf(deps, memberId);
    const dueUnix = await announceTwice(deps, memberId);
    expect(await announcements(deps)).toMatchObject([{ amount: 40.1, price: 240.5 }, { amount: 40.1 }]);
    await renewAt(deps, dueUnix);
    const after = await memberOf(deps, memberId);
    expect(after).toMatchObject({ statusId: 2, autoRenew: true });
    expect(after.expiresUnix ?? 0).toBeGreaterThan(expiresUnix ?? 0);
    const plan = await planOf(deps, after.planId ?? 0);
    expect(statusesOf(plan)).toEqual(['paid', ...Array.from({ length: 5 }, () => 'planned')]);
    expect(plan).toMatchObject({ paymentMethod: 'pm_card_visa', memberIds: [memberId] });
    expect(await keptMinor(deps)).toBe(24_050 + 4_010);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is not charged while instalments of the last term are outstanding', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await switchOn(deps, memberId, 'pm_card_visa');
    await renewAt(deps, await announceTwice(deps, memberId));
    expect((await renewalOf(deps, memberId)).round).toMatchObject({
      status: 'failed',
      failure: 'plan_open',
      attempts: 0,
    });
    expect((await planOf(deps, planId)).charge).toBeNull();
    expect(await keptMinor(deps)).toBe(4_010);
  });

  it.each([1, 12])('goes on when they are paid, %i days after it was due', async (days) => {
    const deps = newCheckoutDeps(table);
    const { memberId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await switchOn(deps, memberId, 'pm_card_visa');
    const dueUnix = await announceTwice(deps, memberId);
    for (const day of [0, 3, 7, 12].filter((one) => one <= days)) await renewAt(deps, dueUnix + day * daySeconds);
    const waiting = days === 12 ? 'action_required' : 'failed';
    expect((await renewalOf(deps, memberId)).round).toMatchObject({ status: waiting, failure: 'plan_open' });
    await renewAt(deps, dueUnix + days * daySeconds + 60);
    expect(await keptMinor(deps)).toBe(4_010);
    await sweep(deps);
    await renewAt(deps, dueUnix + days * daySeconds + 120);
    expect(await keptMinor(deps)).toBe(24_050 + 4_010);
    expect(await renewalOf(deps, memberId)).toMatchObject({ isOn: true, round: null, attempt: null });
    expect(await termsOfMember(table, deps.orgId, memberId)).toHaveLength(2);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('does not go on if they are paid long after the term has ended', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await switchOn(deps, memberId, 'pm_card_visa');
    const dueUnix = await announceTwice(deps, memberId);
    for (const day of [0, 3, 7, 12]) await renewAt(deps, dueUnix + day * daySeconds);
    deps.nowUnix = dueUnix + 40 * daySeconds;
    await sweep(deps);
    await renewAt(deps, deps.nowUnix + 60);
    expect(await keptMinor(deps)).toBe(24_050);
    expect(await termsOfMember(table, deps.orgId, memberId)).toHaveLength(1);
  });
});

describe('a term that ends without another', () => {
  const lapses = async (deps: TestCheckoutDeps) =>
    (await eventsOf(deps)).filter(({ type }: { type: string }) => type === 'membership.lapsed');

  it('is announced once, and again when a later one ends', async () => {
    const deps = newCheckoutDeps(table);
    const { memberships } = await buyMembership(deps, await givenType(table, deps.orgId));
    const memberId = memberships[0]?.memberId ?? 0;
    const { expiresUnix, updatedUnix } = await memberOf(deps, memberId);
    deps.nowUnix = (expiresUnix ?? 0) - 1;
    await sweepBaskets(deps);
    expect(await lapses(deps)).toEqual([]);
    deps.nowUnix = expiresUnix ?? 0;
    await sweepBaskets(deps);
    await sweepBaskets(deps);
    expect(await lapses(deps)).toMatchObject([
      { data: { member: { membership_member_id: memberId }, term: { until: expiresUnix } } },
    ]);
    expect((await memberOf(deps, memberId)).updatedUnix).toBe(updatedUnix);
    deps.nowUnix += 3_600;
    await renewMember(deps, memberId);
    deps.nowUnix = (await memberOf(deps, memberId)).expiresUnix ?? 0;
    await sweepBaskets(deps);
    expect(await lapses(deps)).toHaveLength(2);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is not announced if it was renewed in time', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, expiresUnix } = await givenRenewing(deps);
    await renewAt(deps, expiresUnix - 30 * daySeconds);
    await renewMember(deps, memberId);
    deps.nowUnix = expiresUnix;
    await sweepBaskets(deps);
    expect(await lapses(deps)).toEqual([]);
  });
});
