import { beforeAll, describe, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { readRenewedItem } from '../../../shared/sales/baskets/renewed-item.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  checkOutWith,
  decideInSandbox,
  newCheckoutDeps,
  prepareWith,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { carryOut, givenDue, request } from '../../support/faults/renewal-race-scenario.ts';
import { buyMembership, givenRenewalBasket, givenType, noRenewal, renewMember } from '../../support/memberships.ts';
import { keptMinor, memberOf, renew, renewalOf, switchOn } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const card = { paymentMethod: 'pm_card_visa' };

async function givenMember(deps: TestCheckoutDeps, command = card) {
  await givenOrganisation(table, deps.orgId);
  const bronze = await givenType(table, deps.orgId, { priceThousandths: 100_000 });
  const gold = await givenType(table, deps.orgId, { priceThousandths: 300_000 }, 'gold');
  const { order, memberships } = await buyMembership(deps, bronze, [], command);
  return { order, memberId: memberships[0]?.memberId ?? 0, bronze, gold };
}

const refundTerm = (deps: TestCheckoutDeps, orderId: number, memberId: number) =>
  requestRefund(deps, { orderId, tickets: [], members: [memberId], reason: null }, () => []);

describe('a term with a refund that is pending', () => {
  it.each(['renews', 'replaces'] as const)('cannot be put into a basket: %s', async (change) => {
    const deps = newCheckoutDeps(table);
    const { order, memberId, gold } = await givenMember(deps, { paymentMethod: 'pm_card_refundFail' });
    await refundTerm(deps, order.orderId, memberId);
    await openBasket(table, deps);
    const wish = { ...noRenewal, [change]: memberId, typeId: change === 'replaces' ? gold.typeId : null };
    const offered = () => readRenewedItem({ ...deps, isPublic: false }, wish);
    expect(await offered()).toMatchObject({ kind: 'none', refusal: { reason: 'term_being_refunded', change } });
    // The provider refuses the refund, so the membership goes on.
    await executeRefunds(deps, order.orderId);
    expect(await offered()).toMatchObject({ kind: 'membership' });
  });

  it.each(['renews', 'replaces'])('is not paid for in a basket that was filled before: %s', async (change) => {
    const deps = newCheckoutDeps(table);
    const { order, memberId, gold } = await givenMember(deps);
    const basketId = await givenRenewalBasket(deps, memberId, change === 'replaces' ? gold : undefined);
    await refundTerm(deps, order.orderId, memberId);
    expect(await checkOutWith(deps, basketId)).toMatchObject({ refusal: { reason: 'refund_in_progress' } });
    await executeRefunds(deps, order.orderId);
    expect(await keptMinor(deps)).toBe(0);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it.each(['renews', 'replaces'])('returns a payment that had begun before: %s', async (change) => {
    const deps = newCheckoutDeps(table);
    const { order, memberId, gold } = await givenMember(deps);
    const basketId = await givenRenewalBasket(deps, memberId, change === 'replaces' ? gold : undefined);
    expect(await prepareWith(deps, basketId)).toMatchObject({ outcome: 'prepared' });
    await refundTerm(deps, order.orderId, memberId);
    await decideInSandbox(deps, basketId, 'approve');
    expect(await checkOutWith(deps, basketId, { paymentMethod: null })).toMatchObject({
      refusal: { reason: 'refund_in_progress', isPaid: true },
    });
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await keptMinor(deps)).toBe(0);
    expect(await termsOfMember(table, deps.orgId, memberId)).toMatchObject([{ state: 'refunded' }]);
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 3, pendingRefund: null });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is not cancelled: the refund ends it, or restores it', async () => {
    const deps = newCheckoutDeps(table);
    const { order, memberId } = await givenMember(deps);
    await refundTerm(deps, order.orderId, memberId);
    const wanted = { tickets: [], members: [memberId], to: 'cancelled' } as const;
    expect(await cancelOrRefundTickets(deps, order.orderId, wanted)).toEqual({ outcome: 'refund_in_progress' });
    await executeRefunds(deps, order.orderId);
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 3, pendingRefund: null });
  });

  it('does not renew itself', async () => {
    const deps = newCheckoutDeps(table);
    const due = await givenDue(deps);
    await request(deps, due);
    const before = await keptMinor(deps);
    await renew(deps);
    expect(await keptMinor(deps)).toBe(before);
    await carryOut(deps, due);
    deps.nowUnix += 120;
    await renew(deps);
    expect(await keptMinor(deps)).toBeLessThan(before);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});

describe('the refund of a term that was cancelled before', () => {
  /** A member whose second term was cancelled without a refund, and who has bought another one since. */
  async function givenCancelledTerm(deps: TestCheckoutDeps) {
    const { memberId } = await givenMember(deps);
    const { order: cancelled } = await renewMember(deps, memberId);
    const wanted = { tickets: [], members: [memberId], to: 'cancelled' } as const;
    expect(await cancelOrRefundTickets(deps, cancelled.orderId, wanted)).toMatchObject({ outcome: 'changed' });
    const bought = await checkOutWith(deps, await givenRenewalBasket(deps, memberId), {
      paymentMethod: 'pm_card_refundFail',
    });
    if (bought.outcome !== 'confirmed') throw new Error(bought.outcome);
    return { memberId, cancelledId: cancelled.orderId, lastId: bought.placed.order.orderId };
  }

  it('leaves the auto-renewal of the term that the member has', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, cancelledId } = await givenCancelledTerm(deps);
    await switchOn(deps, memberId, 'pm_card_visa');
    await refundTerm(deps, cancelledId, memberId);
    await executeRefunds(deps, cancelledId);
    expect(await memberOf(deps, memberId)).toMatchObject({ autoRenew: true });
    expect(await renewalOf(deps, memberId)).toMatchObject({ isOn: true });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('leaves the refund that is pending of another term: refused, it restores the member', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, cancelledId, lastId } = await givenCancelledTerm(deps);
    // The first term has ended: what is cancelled now is the last one.
    deps.nowUnix += 366 * 86_400;
    const before = await memberOf(deps, memberId);
    const cancelled = await cancelMembership(deps, { memberId, when: 'now', refund: 'all' }, () => []);
    expect(cancelled).toMatchObject({ outcome: 'cancelled' });
    await refundTerm(deps, cancelledId, memberId);
    await executeRefunds(deps, cancelledId);
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 3, pendingRefund: { orderId: lastId } });
    await executeRefunds(deps, lastId);
    const { statusId, expiresUnix } = before;
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId, expiresUnix, pendingRefund: null });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
