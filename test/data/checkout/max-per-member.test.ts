import { beforeAll, describe, expect, it } from 'vitest';
import { readMemberTickets } from '../../../shared/data/baskets/member-tickets.ts';
import { memberTicketsItemKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { nameRow } from '../../../shared/domain/audit/finding.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { changeBasketEndingPayment } from '../../../shared/sales/baskets/end-waiting-payment.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { add, findingsOf } from '../../support/audit.ts';
import {
  ada,
  chargesOf,
  checkOutWith,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  prepareWith,
  shortTimeout,
} from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const user = { issuer: 'https://login.example.com', subject: 'ada', providerId: 'login', verifiedEmail: null };
const paid = { typeId: 7, statusId: 1 } as const;

/** A linked fan with so many memberships, and a price that each member may buy twice. */
async function givenFan(price: Parameters<typeof givenOnSale>[2] = {}, memberships = 1) {
  const deps = newCheckoutDeps(table, shortTimeout);
  const { orgId } = deps;
  const { userId } = await givenCustomer(table, orgId, { emailAddress: 'fan@example.com' });
  const signedIn = { user, userId };
  const members = Array.from({ length: memberships }, () => aMember({ ...paid, userId }));
  await givenMembers(table, orgId, members);
  const sold = await givenOnSale(table, orgId, { membershipTypeId: 7, maxPerMember: 2, ...price });
  const { eventId } = sold.event;
  const buy = async (quantity: number, changes: Parameters<typeof checkOutWith>[2] = { signedIn }) =>
    checkOutWith(deps, (await givenBasket(deps, sold.price, quantity)).basketId, changes);
  const counted = async (owner = `u${userId}`) =>
    [...(await readMemberTickets(table, orgId, { eventId, owner })).values()].reduce(
      (sum, tickets) => sum + tickets,
      0,
    );
  return { deps, orgId, signedIn, members, buy, counted, ...sold };
}

const exceeded = { outcome: 'refused', refusal: { reason: 'too_many_per_member', maxPerMember: 2 } };

function orderIdOf(result: Awaited<ReturnType<typeof checkOutWith>>): number {
  if (result.outcome !== 'confirmed') throw new Error(JSON.stringify(result));
  return result.placed.order.orderId;
}

describe('max_per_member of a price', () => {
  it('max_per_member counts over all orders of a member, before anything is charged', async () => {
    const { deps, buy, counted } = await givenFan();
    expect(await buy(3)).toMatchObject(exceeded);
    orderIdOf(await buy(1));
    expect(await buy(2)).toMatchObject(exceeded);
    orderIdOf(await buy(1));
    expect(await buy(1)).toMatchObject(exceeded);
    expect([await counted(), (await chargesOf(deps)).length]).toEqual([2, 2]);
  });

  it('max_per_member counts the same, whether the fan or the server proves the membership', async () => {
    const { orgId, members, buy } = await givenFan();
    const [member] = members;
    const other = aMember({ ...paid, userId: null });
    await givenMembers(table, orgId, [other]);
    orderIdOf(await buy(2));
    expect(await buy(1, { membershipMemberId: member?.memberId ?? 0 })).toMatchObject(exceeded);
    orderIdOf(await buy(2, { membershipMemberId: other.memberId }));
    expect(await buy(1, { membershipMemberId: other.memberId })).toMatchObject(exceeded);
  });

  it('max_per_member lets the holder of three memberships buy three times as many', async () => {
    const { buy, counted } = await givenFan({}, 3);
    orderIdOf(await buy(5));
    expect(await buy(2)).toMatchObject(exceeded);
    orderIdOf(await buy(1));
    expect(await counted()).toBe(6);
  });

  it('max_per_member holds for concurrent checkouts', async () => {
    const { buy, counted } = await givenFan();
    const results = await Promise.all([buy(1), buy(1), buy(1), buy(1)]);
    expect(results.filter(({ outcome }) => outcome === 'confirmed')).toHaveLength(2);
    expect(results.filter(({ outcome }) => outcome === 'refused')).toHaveLength(2);
    expect(await counted()).toBe(2);
  });

  it('a declined payment, an expired and a cancelled basket give back what they reserved', async () => {
    const { deps, orgId, signedIn, price, buy, counted } = await givenFan();
    expect((await buy(2, { signedIn, paymentMethod: 'pm_card_declined' })).outcome).toBe('declined');
    expect(await counted()).toBe(0);
    expect((await buy(2, { signedIn, paymentMethod: 'pm_card_timeout' })).outcome).toBe('payment_unknown');
    expect([await counted(), await buy(1)]).toMatchObject([2, exceeded]);
    deps.nowUnix += checkoutLeaseSeconds;
    await sweepBaskets(deps);
    expect(await counted()).toBe(0);
    const { basketId } = await givenBasket(deps, price, 2);
    await prepareWith(deps, basketId, { signedIn });
    expect(await counted()).toBe(2);
    await changeBasketEndingPayment(deps, { basketId, decide: (basket) => cancelBasket(basket, deps.nowUnix) });
    expect(await counted()).toBe(0);
    expect(await readMemberTickets(table, orgId, { eventId: price.eventId, owner: 'u1' })).toEqual(new Map());
  });

  it('a refund and a cancellation give back their tickets, once', async () => {
    const { deps, buy, counted } = await givenFan({ ticketsIncluded: 2, maxPerMember: 2 }, 2);
    const orderId = orderIdOf(await buy(3));
    expect(await counted()).toBe(6);
    await refundOrder(deps, { orderId, tickets: [orderId + 1] });
    expect(await counted()).toBe(5);
    await cancelOrRefundTickets(deps, orderId, { tickets: [orderId + 2, orderId + 3], to: 'cancelled' });
    expect(await counted()).toBe(3);
    // The cancelled tickets were given back when they were cancelled.
    await refundOrder(deps, { orderId, tickets: 'all' });
    expect(await counted()).toBe(0);
    orderIdOf(await buy(4));
    expect(await buy(1)).toMatchObject(exceeded);
  });

  it('audit finds a count of a member that is not that of orders and pending checkouts, and nothing else', async () => {
    const { deps, orgId, signedIn, members, price, buy } = await givenFan({}, 3);
    const found = async () => (await findingsOf(table, orgId)).filter(({ check }) => check === 'member-tickets');
    const cancelledId = orderIdOf(await buy(2));
    await cancelOrRefundTickets(deps, cancelledId, { tickets: [cancelledId + 1], to: 'cancelled' });
    // The order of a customer who is not the owner of the membership.
    orderIdOf(await buy(1, { membershipMemberId: members[2]?.memberId ?? 0 }));
    await prepareWith(deps, (await givenBasket(deps, price, 2)).basketId, { signedIn });
    expect(await found()).toEqual([]);
    const key = memberTicketsItemKey(orgId, price.eventId, `u${signedIn.userId}`);
    const name = `p${price.index}m${members[0]?.memberId}`;
    for (const change of [1, -2]) {
      await add(table, key, name, change);
      expect(await found()).toMatchObject([
        { row: nameRow(key), problem: expect.stringContaining(`: ${name} ${change > 0 ? '+1' : '-1'}.`) },
      ]);
    }
  });

  it('a prepared payment that gets another buyer counts for the last one', async () => {
    const { deps, orgId, signedIn, price, counted } = await givenFan();
    const other = aMember({ ...paid, userId: null });
    await givenMembers(table, orgId, [other]);
    const { basketId } = await givenBasket(deps, price, 2);
    await prepareWith(deps, basketId, { signedIn });
    const grace = { ...ada, firstName: 'Grace' };
    await prepareWith(deps, basketId, { buyer: grace, membershipMemberId: other.memberId });
    expect([await counted(), await counted(`m${other.memberId}`)]).toEqual([0, 2]);
    await prepareWith(deps, basketId, { buyer: ada, membershipMemberId: other.memberId });
    expect(await counted(`m${other.memberId}`)).toBe(2);
  });
});
