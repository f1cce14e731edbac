import { beforeAll, describe, expect, it } from 'vitest';
import { readMember } from '../../../shared/data/members/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf, checkOutWith, type TestCheckoutDeps } from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import {
  buyMembership,
  givenClub,
  givenRenewalBasket,
  givenType,
  leftOf,
  renewMember,
} from '../../support/memberships.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const year = 365 * 86_400;

async function memberOf({ orgId }: TestCheckoutDeps, memberId: number) {
  const member = await readMember(table, orgId, memberId);
  if (member === undefined) throw new Error('The member is missing.');
  return member;
}

const buyOne = async (deps: TestCheckoutDeps, type: Parameters<typeof buyMembership>[1]) => {
  const { order, memberships } = await buyMembership(deps, type);
  return { order, member: await memberOf(deps, memberships[0]?.memberId ?? 0) };
};

describe('two renewals of one member', () => {
  it('at the same time: one is paid for, and the other costs nothing', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const { member } = await buyOne(deps, await givenType(table, orgId));
    const baskets = [
      await givenRenewalBasket(deps, member.memberId),
      await givenRenewalBasket(deps, member.memberId),
      await givenRenewalBasket(deps, member.memberId),
    ];
    const results = await Promise.all(baskets.map((basketId) => checkOutWith(deps, basketId)));
    expect(results.filter(({ outcome }) => outcome === 'confirmed')).toHaveLength(1);
    const refused = results.filter(({ outcome }) => outcome === 'refused');
    expect(refused.map((result) => 'refusal' in result && result.refusal.reason)).toEqual([
      ...['renewal_outdated', 'renewal_outdated'],
    ]);
    await sweepBaskets(deps);
    const paid = (await chargesOf(deps)).filter(({ amountMinor, refundedMinor }) => amountMinor > refundedMinor);
    expect(paid).toHaveLength(2);
    expect(await termsOfMember(table, orgId, member.memberId)).toHaveLength(2);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('one after the other are two terms, and a basket that was filled before is refused without a charge', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const { member } = await buyOne(deps, await givenType(table, orgId));
    const outdated = await givenRenewalBasket(deps, member.memberId);
    await renewMember(deps, member.memberId);
    expect(await checkOutWith(deps, outdated)).toMatchObject({
      refusal: { reason: 'renewal_outdated', isPaid: false },
    });
    expect(await chargesOf(deps)).toHaveLength(2);
    await renewMember(deps, member.memberId);
    const terms = await termsOfMember(table, orgId, member.memberId);
    expect(terms.map(({ fromUnix }) => fromUnix).slice(1)).toEqual(terms.map(({ untilUnix }) => untilUnix).slice(0, 2));
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('a repeated checkout returns the order of the first', async () => {
    const deps = await givenClub(table);
    const { member } = await buyOne(deps, await givenType(table, deps.orgId));
    const basketId = await givenRenewalBasket(deps, member.memberId);
    for (const _ of [1, 2]) {
      expect(await checkOutWith(deps, basketId)).toMatchObject({
        outcome: 'confirmed',
        placed: { order: { orderId: basketId } },
      });
    }
    expect(await termsOfMember(table, deps.orgId, member.memberId)).toHaveLength(2);
  });
});

describe('the refund of a term', () => {
  it('returns to the term before; one that is followed by another is refused until then', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId, { capacity: 3 });
    const { member, order } = await buyOne(deps, type);
    const { memberId } = member;
    const renewal = await renewMember(deps, memberId);
    const refund = (orderId: number) => refundOrder(deps, { orderId, tickets: [], members: [memberId] });
    const followed = { outcome: 'later_term', memberIds: [memberId] };
    expect(await refund(order.orderId)).toEqual(followed);
    expect(await refundOrder(deps, { orderId: order.orderId, tickets: 'all', members: 'all' })).toEqual(followed);
    expect(await refund(renewal.order.orderId)).toMatchObject({ outcome: 'recorded', refund: { amountMinor: 24_050 } });
    const { expiresUnix, orderId } = member;
    expect(await memberOf(deps, memberId)).toMatchObject({ expiresUnix, orderId, statusId: 1 });
    expect(await termsOfMember(table, orgId, memberId)).toMatchObject([{ state: 'active' }, { state: 'refunded' }]);
    expect(await findingsOf(table, orgId)).toEqual([]);
    expect(await refund(order.orderId)).toMatchObject({ outcome: 'recorded' });
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 3 });
    expect(await leftOf(table, orgId, type)).toBe(3);
    expect(await findingsOf(table, orgId)).toEqual([]);
    await expect(givenRenewalBasket(deps, memberId)).rejects.toThrow('"because":"cancelled"');
  });

  it('that has begun returns the type of the term before', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const next = await givenType(table, orgId, {}, 'next');
    const type = await givenType(table, orgId, { renewsAsTypeId: next.typeId });
    const { member } = await buyOne(deps, type);
    deps.nowUnix += 2 * year;
    const { order } = await renewMember(deps, member.memberId);
    await refundOrder(deps, { orderId: order.orderId, tickets: 'all', members: 'all' });
    await sweepBaskets(deps);
    expect(await memberOf(deps, member.memberId)).toMatchObject({
      typeId: type.typeId,
      expiresUnix: member.expiresUnix,
      statusId: 1,
    });
    expect(await readOrderWithTickets(table, orgId, order.orderId)).toMatchObject({ order: { status: 'refunded' } });
    expect(await findingsOf(table, orgId)).toEqual([]);
  });
});
