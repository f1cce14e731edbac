import { beforeAll, describe, expect, it } from 'vitest';
import { payInstalment } from '../../../shared/charges/pay-instalment.ts';
import { openBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { savePlan } from '../../../shared/data/plans/plans.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { replaceMethod } from '../../../shared/domain/plans/charge.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf, checkOutWith, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { expectEntries } from '../../support/journal.ts';
import { addType, buyMembership, givenType, leftOf } from '../../support/memberships.ts';
import {
  buyInInstalments,
  givenInstalmentType,
  planOf,
  sixMonthly,
  statusesOf,
  sweep,
  sweepWhenDue,
} from '../../support/plans.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const refundless = { paymentMethod: 'pm_card_refundFail' };

const begin = {
  'refund-order': async (deps: TestCheckoutDeps, orderId: number, memberId: number) => {
    const request = { orderId, tickets: [], members: [memberId], reason: null };
    return (await requestRefund(deps, request, () => [])).outcome;
  },
  'cancel-member': async (deps: TestCheckoutDeps, _orderId: number, memberId: number) =>
    (await cancelMembership(deps, { memberId, when: 'now', refund: 'all' }, () => [])).outcome,
};
const ways = [
  ['refund-order', begin['refund-order']],
  ['cancel-member', begin['cancel-member']],
] as const;

/** What a refund that is refused must not change: everything except when and how often a row was written. */
async function stateOf(deps: TestCheckoutDeps, orderId: number, memberId: number, planId?: number) {
  const { updatedUnix: _, version: _v, ...member } = (await readMember(table, deps.orgId, memberId)) ?? {};
  const { version: _w, ...plan } = planId === undefined ? {} : await planOf(deps, planId);
  const placed = await readOrderWithTickets(table, deps.orgId, orderId);
  const terms = await termsOfMember(table, deps.orgId, memberId);
  return { member, plan, status: placed?.order.status, memberships: placed?.memberships, terms };
}

const refundStates = async ({ orgId }: TestCheckoutDeps, orderId: number) =>
  (await readBasket(table, orgId, orderId))?.refunds.map(({ state }) => state);

describe('a refund that the provider refuses', () => {
  it.each(ways)('leaves a membership in instalments as it was: %s', async (_way, ask) => {
    const deps = newCheckoutDeps(table);
    const type = await givenInstalmentType(deps, { capacity: 5 });
    const { order, planId, memberId } = await buyInInstalments(deps, type, refundless);
    await sweepWhenDue(deps, planId, 2);
    const before = await stateOf(deps, order.orderId, memberId, planId);
    await ask(deps, order.orderId, memberId);
    // Nothing is charged while the refund is pending.
    expect(statusesOf(await sweepWhenDue(deps, planId, 3)).slice(2)).toEqual(Array(4).fill('cancelled'));
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await executeRefunds(deps, order.orderId);
    expect(await refundStates(deps, order.orderId)).toEqual(['refused']);
    expect(await stateOf(deps, order.orderId, memberId, planId)).toEqual(before);
    expect(await leftOf(table, deps.orgId, type)).toBe(4);
    await expectEntries(deps, order.orderId, ['sale', 'instalment']);
    expect((await eventsOf(deps)).filter(({ type: kind }) => kind === 'order.refund_failed')).toHaveLength(1);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await sweep(deps);
    expect(statusesOf(await planOf(deps, planId)).slice(0, 4)).toEqual(['paid', 'paid', 'paid', 'planned']);
    // It can be asked for again, and is refused again.
    expect(['recorded', 'cancelled']).toContain(await ask(deps, order.orderId, memberId));
    await executeRefunds(deps, order.orderId);
    expect(await refundStates(deps, order.orderId)).toEqual(['refused', 'refused']);
    expect(statusesOf(await planOf(deps, planId)).slice(2)).toEqual(['paid', ...Array(3).fill('planned')]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('restores a declined share with its retry, and the member that was overdue', async () => {
    const deps = newCheckoutDeps(table);
    const { order, planId, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps), {
      paymentMethod: 'pm_card_chargeCustomerFail',
    });
    await sweepWhenDue(deps, planId, 2);
    // The charge of the order cannot be returned any more.
    const [charge] = await chargesOf(deps);
    await deps.payments
      .byName('sandbox')
      .then((provider) =>
        provider?.refund(
          { orgId: deps.orgId, account: null, chargeId: charge?.sk ?? '', key: '' },
          { key: 'by hand', amountMinor: charge?.amountMinor ?? 0, currency: 'AUD' },
          new AbortController().signal,
        ),
      );
    const before = await stateOf(deps, order.orderId, memberId, planId);
    expect(before.member).toMatchObject({ overdueSinceUnix: expect.any(Number) });
    await begin['cancel-member'](deps, order.orderId, memberId);
    await executeRefunds(deps, order.orderId);
    expect(await stateOf(deps, order.orderId, memberId, planId)).toEqual(before);
  });

  it('leaves a membership that was paid at once as it was, and its place with it', async () => {
    const deps = newCheckoutDeps(table);
    await givenOrganisation(table, deps.orgId);
    const type = await givenType(table, deps.orgId, { capacity: 1 });
    const { order, memberships } = await buyMembership(deps, type, [], refundless);
    const memberId = memberships[0]?.memberId ?? 0;
    const before = await stateOf(deps, order.orderId, memberId);
    await begin['cancel-member'](deps, order.orderId, memberId);
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 3 });
    // Nobody else gets the place before the money is returned.
    expect(await leftOf(table, deps.orgId, type)).toBe(0);
    await executeRefunds(deps, order.orderId);
    expect(await stateOf(deps, order.orderId, memberId)).toEqual(before);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});

describe('a refund whose second charge the provider refuses', () => {
  it.each(ways)('ends: what was returned is booked and owed again, and the rest is as before: %s', async (way, ask) => {
    const deps = newCheckoutDeps(table);
    const { order, planId, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps), refundless);
    const plan = await planOf(deps, planId);
    const saved = { provider: 'sandbox', account: null, customer: 'sbx_cus_1', paymentMethod: 'pm_card_visa' };
    await savePlan(table, deps.orgId, plan, replaceMethod(plan, { ...saved, savedUnix: deps.nowUnix }));
    await sweepWhenDue(deps, planId, 2);
    await ask(deps, order.orderId, memberId);
    await executeRefunds(deps, order.orderId);
    expect(await refundStates(deps, order.orderId)).toEqual(['refused']);
    const after = await planOf(deps, planId);
    expect(statusesOf(after)).toEqual(['paid', 'action_required', ...Array(4).fill('planned')]);
    expect(after.instalments[1]).toMatchObject({ failure: 'refunded', charge: null, dueUnix: deps.nowUnix });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({
      statusId: 2,
      overdueSinceUnix: deps.nowUnix,
      pendingRefund: null,
    });
    await expectEntries(deps, order.orderId, ['sale', 'instalment', 'refund']);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    // What was returned is not charged again without the member.
    await sweep(deps);
    expect(statusesOf(await planOf(deps, planId))[1]).toBe('action_required');
    // The next refund returns only what is left, which this card refuses.
    expect(way === 'refund-order' ? 'recorded' : 'cancelled').toBe(await ask(deps, order.orderId, memberId));
    await executeRefunds(deps, order.orderId);
    expect(statusesOf(await planOf(deps, planId)).slice(0, 3)).toEqual(['paid', 'action_required', 'planned']);
    expect((await chargesOf(deps)).map(({ refundedMinor }) => refundedMinor).sort()).toEqual([0, 4_008]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('leaves another membership of the order paid whose instalments were not returned', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenInstalmentType(deps);
    const { basketId: orderId } = await openBasket(table, deps);
    for (const _ of ['paid', 'open']) await addType(deps, orderId, type);
    const bought = await checkOutWith(deps, orderId, { ...sixMonthly, ...refundless });
    if (bought.outcome !== 'confirmed') throw new Error(bought.outcome);
    const [paid, open] = bought.placed.memberships.map(({ planId, memberId }) => ({ planId: planId ?? 0, memberId }));
    if (paid === undefined || open === undefined) throw new Error('The memberships are missing.');
    const pay = (planId: number, number: number, paymentMethod: string) =>
      payInstalment(deps, { planId, number, paymentMethod, returnUrl: null });
    for (const number of [2, 3, 4, 5, 6]) await pay(paid.planId, number, refundless.paymentMethod);
    deps.nowUnix += 10;
    await pay(open.planId, 2, 'pm_card_visa');
    await requestRefund(deps, { orderId, tickets: [], members: 'all', reason: null }, () => []);
    await executeRefunds(deps, orderId);
    expect(await refundStates(deps, orderId)).toEqual(['refused']);
    expect(statusesOf(await planOf(deps, open.planId))[1]).toBe('action_required');
    expect(await readMember(table, deps.orgId, open.memberId)).toMatchObject({ statusId: 2 });
    expect(await readMember(table, deps.orgId, paid.memberId)).toMatchObject({ statusId: 1, overdueSinceUnix: null });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is not carried on by another worker that has returned the first: no more money leaves', async () => {
    const deps = newCheckoutDeps(table);
    const { order, planId, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await sweepWhenDue(deps, planId, 2);
    await begin['refund-order'](deps, order.orderId, memberId);
    const provider = await deps.payments.current();
    const withProvider = (refund: typeof provider.refund) => ({
      ...deps,
      payments: { ...deps.payments, byName: async () => ({ ...provider, refund }) },
    });
    const refusing = withProvider(async (...call) =>
      call[1].key === `${order.orderId}-refund-1` ? { outcome: 'refused', message: '' } : provider.refund(...call),
    );
    const overtaken = withProvider(async (...call) => {
      const refunded = await provider.refund(...call);
      await executeRefunds(refusing, order.orderId);
      return refunded;
    });
    await executeRefunds(overtaken, order.orderId);
    expect(await refundStates(deps, order.orderId)).toEqual(['refused']);
    expect((await chargesOf(deps)).map(({ refundedMinor }) => refundedMinor).sort()).toEqual([0, 4_008]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
