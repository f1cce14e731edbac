import { beforeAll, describe, expect, it } from 'vitest';
import { recordPaidElsewhere } from '../../../shared/charges/pay-instalment.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { savePlan } from '../../../shared/data/plans/plans.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { beginCharge } from '../../../shared/domain/plans/charge.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { cancel, cancelledEvents, family, statuses } from '../../support/cancelled-members.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { expectEntries } from '../../support/journal.ts';
import { buyMembership, givenClub, givenType, leftOf, person, renewMember } from '../../support/memberships.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweepWhenDue } from '../../support/plans.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const keptMinor = async (deps: TestCheckoutDeps) =>
  (await chargesOf(deps)).reduce((sum, { amountMinor, refundedMinor }) => sum + amountMinor - refundedMinor, 0);

describe('cancel-member now', () => {
  it('without a refund ends access, terms and place, and keeps the money, which can be refunded later', async () => {
    const deps = await givenClub(table);
    const type = await givenType(table, deps.orgId, { persons: 4, capacity: 9 });
    const { order, memberships } = await buyMembership(deps, type, family);
    const ids = memberships.map(({ memberId }) => memberId);
    const answer = await cancel(deps, ids[1] ?? 0, { when: 'now' });
    expect(answer).toMatchObject({ membership_member_ids: ids, ends_at: deps.nowUnix, refund: null });
    expect(await statuses(deps, ids)).toEqual([3, 3, 3, 3]);
    expect(await termsOfMember(table, deps.orgId, ids[3] ?? 0)).toMatchObject([{ state: 'cancelled' }]);
    expect(await leftOf(table, deps.orgId, type)).toBe(9);
    expect(await cancelledEvents(deps)).toHaveLength(4);
    await expect(cancel(deps, ids[0] ?? 0, { when: 'now' })).rejects.toMatchObject({ code: 'member_cancelled' });
    await expectEntries(deps, order.orderId, ['sale']);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await refundOrder(deps, { orderId: order.orderId, tickets: [], members: ids });
    expect(await keptMinor(deps)).toBe(0);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('with a refund of all returns every charge and ends what is owed', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, planId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await sweepWhenDue(deps, planId, 2);
    const answer = await cancel(deps, memberId, { when: 'now', refund: 'all' });
    expect(answer).toMatchObject({ refund: { status: 'pending', amount: 80.18, membership_member_ids: [memberId] } });
    expect(await statuses(deps, [memberId])).toEqual([3]);
    expect(statusesOf(await planOf(deps, planId))).toEqual(['paid', 'paid', ...Array(4).fill('cancelled')]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await executeRefunds(deps, order.orderId);
    expect(await keptMinor(deps)).toBe(0);
    await expectEntries(deps, order.orderId, ['sale', 'instalment', 'refund']);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('returns what is unused, newest charge first, and keeps the rest', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, planId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await sweepWhenDue(deps, planId, 2);
    await sweepWhenDue(deps, planId, 3);
    await recordPaidElsewhere(deps, { planId, number: 4 });
    const [term] = await termsOfMember(table, deps.orgId, memberId);
    const { fromUnix = 0, untilUnix = 0 } = term ?? {};
    deps.nowUnix = Math.round(fromUnix + ((untilUnix ?? 0) - fromUnix) / 2);
    const { refund } = await cancel(deps, memberId, { when: 'now', refund: 'unused' });
    // Half of 240.50 is used, and 160.34 were paid.
    expect(refund).toMatchObject({ amount: 40.09 });
    await executeRefunds(deps, order.orderId);
    const charges = await chargesOf(deps);
    expect(charges.map(({ refundedMinor }) => refundedMinor).sort()).toEqual([0, 1, 4_008]);
    const placed = await readOrderWithTickets(table, deps.orgId, order.orderId);
    expect(placed?.order).toMatchObject({
      status: 'refunded',
      refundedMinor: 4_009,
      writtenOffMinor: 8_016,
      keptMinor: 12_025,
    });
    const entries = await entriesOfOrder(table, deps.orgId, order.orderId);
    expect(entries.find(({ kind }) => kind === 'refund')).toMatchObject({
      types: [{ quantity: -1, netMinor: -12_025 }],
      transactionFeeMinor: 0,
      money: { card: -4_009, receivable: -8_016 },
    });
    await expectEntries(deps, order.orderId, ['sale', ...Array(3).fill('instalment'), 'refund']);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('without a refund writes off what is owed', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, planId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
    expect(await cancel(deps, memberId, { when: 'now' })).toMatchObject({ refund: { amount: 0 } });
    await executeRefunds(deps, order.orderId);
    expect(statusesOf(await planOf(deps, planId))).toEqual(['paid', ...Array(5).fill('cancelled')]);
    expect(await keptMinor(deps)).toBe(4_010);
    await expectEntries(deps, order.orderId, ['sale', 'refund']);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('ends a member whose earlier terms have passed, and refuses one with a later term', async () => {
    const deps = await givenClub(table);
    const { memberships } = await buyMembership(deps, await givenType(table, deps.orgId));
    const memberId = memberships[0]?.memberId ?? 0;
    await renewMember(deps, memberId);
    const ask = () => cancel(deps, memberId, { when: 'now', refund: 'all' });
    await expect(ask()).rejects.toMatchObject({ details: [{ code: 'later_term_exists', param: 'when' }] });
    expect(await statuses(deps, [memberId])).toEqual([1]);
    deps.nowUnix = (memberships[0]?.expiresUnix ?? 0) + 1;
    expect(await ask()).toMatchObject({ refund: { amount: 240.5 } });
    expect(await statuses(deps, [memberId])).toEqual([3]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it.each(['none', 'all'])(
    'returns the place of a member who has renewed or changed the type: refund %s',
    async (refund) => {
      const deps = await givenClub(table);
      const { orgId } = deps;
      const type = await givenType(table, orgId, { capacity: 2, persons: 2 });
      const { memberships } = await buyMembership(deps, type, [person('Ada'), person('Byron')]);
      const memberId = memberships[0]?.memberId ?? 0;
      await renewMember(deps, memberId);
      deps.nowUnix = (memberships[0]?.expiresUnix ?? 0) + 1;
      const gold = await givenType(table, orgId, { capacity: 2, persons: 2 }, 'gold');
      await renewMember(deps, memberId, gold);
      expect([await leftOf(table, orgId, type), await leftOf(table, orgId, gold)]).toEqual([0, 0]);
      await cancel(deps, memberId, { when: 'now', refund });
      deps.nowUnix += 60;
      await sweepBaskets(deps);
      expect(await statuses(deps, [memberId])).toEqual([3]);
      expect([await leftOf(table, orgId, type), await leftOf(table, orgId, gold)]).toEqual([2, 2]);
      expect(await findingsOf(table, orgId)).toEqual([]);
    },
  );

  it('is refused while an instalment is charged, and while a refund is pending', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, planId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
    const plan = await planOf(deps, planId);
    const wanted = { number: 2, paymentMethod: null, requestId: null, nowUnix: deps.nowUnix };
    const begun = await savePlan(table, deps.orgId, plan, beginCharge(plan, wanted));
    await expect(cancel(deps, memberId, { when: 'now' })).rejects.toMatchObject({ code: 'payment_in_progress' });
    await savePlan(table, deps.orgId, begun ?? plan, { ...plan });
    await requestRefund(deps, { orderId: order.orderId, tickets: [], members: [memberId], reason: null }, () => []);
    await expect(cancel(deps, memberId, { when: 'now' })).rejects.toMatchObject({ code: 'ticket_already_refunded' });
    expect(await statuses(deps, [memberId])).toEqual([2]);
  });

  it('of a member who was not bought here changes the status, and returns nothing', async () => {
    const deps = await givenClub(table);
    const imported = aMember({ statusId: 1, autoRenew: true });
    await givenMembers(table, deps.orgId, [imported]);
    const { memberId } = imported;
    await expect(cancel(deps, memberId, { when: 'now', refund: 'all' })).rejects.toMatchObject({
      details: [{ code: 'not_bought_here', param: 'refund' }],
    });
    expect(await cancel(deps, memberId, { when: 'now' })).toMatchObject({ membership_member_ids: [memberId] });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 3, autoRenew: false });
    expect((await cancelledEvents(deps)).map(({ data }) => data.term)).toEqual([null]);
  });
});

describe('the place of a term before the one that cancel-member has ended', () => {
  it.each(['renewed', 'replaced'] as const)(
    'returns once, also if the order of that term is refunded: %s',
    async (how) => {
      const deps = await givenClub(table);
      const type = await givenType(table, deps.orgId, { capacity: 2 });
      const gold = await givenType(table, deps.orgId, {}, 'gold');
      const { order, memberships } = await buyMembership(deps, type);
      const memberId = memberships[0]?.memberId ?? 0;
      const later = await renewMember(deps, memberId, how === 'replaced' ? gold : undefined);
      // The first term is over, so the later one is the only one left.
      if (how === 'renewed') deps.nowUnix += 366 * 86_400;
      const cancelled = await cancelMembership(deps, { memberId, when: 'now', refund: 'all' }, () => []);
      expect(cancelled).toMatchObject({ outcome: 'cancelled' });
      await executeRefunds(deps, later.order.orderId);
      expect(await leftOf(table, deps.orgId, type)).toBe(2);
      await refundOrder(deps, { orderId: order.orderId, tickets: [], members: [memberId] });
      expect(await leftOf(table, deps.orgId, type)).toBe(2);
      expect(await findingsOf(table, deps.orgId)).toEqual([]);
    },
  );
});
