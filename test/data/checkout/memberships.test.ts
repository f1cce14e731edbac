import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { eraseBuyer } from '../../../shared/data/admin/erase-buyer.ts';
import { changeBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { membersOfCustomer } from '../../../shared/data/members/of-customer.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { memberItem } from '../../../shared/data/members/row.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { termKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { removeLine } from '../../../shared/domain/baskets/changes.ts';
import { givenConfig } from '../../../tools/fixtures/membership.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  addItem,
  checkOutWith,
  givenBasket,
  givenOnSale,
  noonUnix,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { eventsOf, refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { expectEntries } from '../../support/journal.ts';
import {
  addType,
  buyMembership,
  givenClub,
  givenMembershipBasket,
  givenType,
  leftOf,
  person,
} from '../../support/memberships.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const endOfYear = Date.UTC(2027, 10, 8) / 1000;

describe('a membership that is bought', () => {
  it('makes the buyer a paid member of the customer, with a term, and an order without an event', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId, { taxRate: 20 });
    const { order, tickets, memberships } = await buyMembership(deps, type);
    expect(order).toMatchObject({ eventId: 0, status: 'confirmed', totalMinor: 24_050, isBooked: true });
    expect(tickets).toEqual([]);
    const [sold] = memberships;
    expect(sold).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      faceMinor: 24_050,
      taxMinor: 4_008,
      status: 1,
    });
    const member = await readMember(table, orgId, sold?.memberId ?? 0);
    expect(member).toMatchObject({
      userId: order.userId,
      statusId: 1,
      typeId: type.typeId,
      orderId: String(order.orderId),
      memberNumber: sold?.memberNumber,
      barcode: sold?.barcode,
      emailAddress: 'ada@example.com',
    });
    const organisationDay = await termsOfMember(table, orgId, sold?.memberId ?? 0);
    expect(organisationDay).toMatchObject([
      {
        termId: sold?.termId,
        orderId: order.orderId,
        typeId: type.typeId,
        state: 'active',
        fromUnix: noonUnix,
        untilUnix: member?.expiresUnix,
        priceMinor: 24_050,
        currency: 'AUD',
      },
    ]);
    expect(Math.abs((member?.expiresUnix ?? 0) - endOfYear)).toBeLessThan(86_400);
    await expectEntries(deps, order.orderId, ['sale']);
    expect((await eventsOf(deps)).map(({ type: name }) => name)).toEqual(['order.completed', 'member.created']);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('for a family makes four members, whose shares add up to the price', async () => {
    const deps = await givenClub(table);
    const type = await givenType(table, deps.orgId, { persons: 4, priceThousandths: 100_010, capacity: 10 });
    const names = ['Ada', 'Byron', 'Ralph', 'Anne'];
    const holders = names.map((name) => person(name, { dateOfBirth: '2001-02-03' }));
    const { order, memberships } = await buyMembership(deps, type, holders);
    expect(memberships.map(({ firstName, faceMinor }) => [firstName, faceMinor])).toEqual([
      ['Ada', 2_501],
      ['Byron', 2_500],
      ['Ralph', 2_500],
      ['Anne', 2_500],
    ]);
    const members = await membersOfCustomer(table, deps.orgId, order.userId ?? 0);
    expect(members.map(({ dateOfBirth, statusId }) => [dateOfBirth, statusId])).toEqual(
      names.map(() => ['2001-02-03', 1]),
    );
    expect(new Set(members.map(({ memberNumber }) => memberNumber)).size).toBe(4);
    expect(await leftOf(table, deps.orgId, type)).toBe(6);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('proves the member price of a match in the same basket, and counts against its limit', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId);
    const { price } = await givenOnSale(table, orgId, { membershipTypeId: type.typeId, maxPerMember: 2 });
    const basketId = await givenMembershipBasket(deps, type);
    await addItem(deps, basketId, price, 2);
    const result = await checkOutWith(deps, basketId);
    expect(result).toMatchObject({ outcome: 'confirmed', placed: { order: { eventId: price.eventId } } });
    if (result.outcome !== 'confirmed') return;
    const { order, tickets, memberships } = result.placed;
    const memberId = memberships[0]?.memberId;
    expect([tickets.length, memberships.length]).toEqual([2, 1]);
    expect(order.reservation).toMatchObject({
      owner: `u${order.userId}`,
      tickets: [{ memberId, tickets: 2, limit: 2 }],
    });
    await expectEntries(deps, order.orderId, ['sale']);
    expect(await findingsOf(table, orgId)).toEqual([]);
    // The member has bought what a member may.
    const { basketId: again } = await givenBasket(deps, price, 1);
    expect(await checkOutWith(deps, again, { membershipMemberId: memberId })).toMatchObject({
      refusal: { reason: 'too_many_per_member' },
    });
    const { basketId: unproven } = await givenBasket(deps, price, 1);
    expect(await checkOutWith(deps, unproven)).toMatchObject({ refusal: { reason: 'membership_not_proven' } });
  });

  it('is not made by a declined payment, and a removed line returns its place', async () => {
    const deps = await givenClub(table);
    const type = await givenType(table, deps.orgId, { capacity: 1 });
    const basketId = await givenMembershipBasket(deps, type);
    expect(await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_declined' })).toMatchObject({
      outcome: 'declined',
    });
    expect(await leftOf(table, deps.orgId, type)).toBe(0);
    const { orgId, nowUnix } = deps;
    await changeBasket(table, { orgId, basketId, decide: (basket) => removeLine(basket, 1, nowUnix) });
    expect(await leftOf(table, orgId, type)).toBe(1);
    expect(await readBasket(table, orgId, basketId)).toMatchObject({ currency: null, eventId: null, lines: [] });
  });

  it('is held by the capacity of its type, which follows a change of the type', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId, { capacity: 2 });
    const first = await givenMembershipBasket(deps, type);
    await givenMembershipBasket(deps, type);
    const basketId = await givenMembershipBasketOf(deps);
    const soldOut = { outcome: 'refused', refusal: { reason: 'type_sold_out' } };
    expect(await addType(deps, basketId, type)).toMatchObject(soldOut);
    await givenConfig(table, orgId, { ...type, capacity: 1 });
    await changeBasket(table, { orgId, basketId: first, decide: (basket) => removeLine(basket, 1, deps.nowUnix) });
    expect(await addType(deps, basketId, type)).toMatchObject(soldOut);
    await givenConfig(table, orgId, { ...type, capacity: 250 });
    expect(await addType(deps, basketId, type)).toMatchObject({ outcome: 'changed' });
    expect(await leftOf(table, orgId, type)).toBe(248);
  });
});

async function givenMembershipBasketOf(deps: TestCheckoutDeps): Promise<number> {
  const { price } = await givenOnSale(table, deps.orgId);
  return (await givenBasket(deps, price, 1)).basketId;
}

describe('the audit', () => {
  it.each([
    [{ orderId: 'OLD-1' }, 'The member does not name the order of its last term.'],
    [{ orderId: 'OLD-1', expiresUnix: noonUnix }, 'The member does not name the order of its last term.'],
    [{ expiresUnix: noonUnix }, 'The member does not expire when its last term ends.'],
    [{ statusId: 0 as const }, 'The member has a term that was sold, and is unpaid.'],
  ])('finds a member that has %j instead of what was sold', async (changes, problem) => {
    const deps = await givenClub(table);
    const { memberships } = await buyMembership(deps, await givenType(table, deps.orgId));
    const member = await readMember(table, deps.orgId, memberships[0]?.memberId ?? 0);
    if (member === undefined) throw new Error('The member is missing.');
    const Item = memberItem(deps.orgId, { ...member, ...changes });
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    const found = (await findingsOf(table, deps.orgId)).filter(({ check }) => check === 'memberships');
    expect(found).toMatchObject([{ problem }]);
  });

  it('finds a member without a term, and a refunded membership whose member is not cancelled', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId);
    const { order, memberships } = await buyMembership(deps, type);
    const [{ memberId, termId } = { memberId: 0, termId: 0 }] = memberships;
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: termKey(orgId, memberId, termId) }));
    expect(await findingsOf(table, orgId)).toMatchObject([
      { check: 'memberships', problem: 'The term of a membership is missing.' },
    ]);
    const { memberships: others, order: second } = await buyMembership(deps, type);
    await refundOrder(deps, { orderId: second.orderId, tickets: [], members: others.map((one) => one.memberId) });
    const member = await readMember(table, orgId, others[0]?.memberId ?? 0);
    if (member === undefined) throw new Error('The member is missing.');
    const Item = memberItem(orgId, { ...member, statusId: 1 });
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    expect((await findingsOf(table, orgId)).map(({ problem }) => problem)).toContain(
      'The membership has ended, and its member is not cancelled.',
    );
    expect(order.orderId).not.toBe(second.orderId);
  });
});

describe('the erasure of a buyer', () => {
  it('removes the names of members from the order', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const { order } = await buyMembership(deps, await givenType(table, orgId), [person('Byron')]);
    expect(await eraseBuyer(table, { orgId, orderId: order.orderId, nowUnix: noonUnix })).toBe('erased');
    const erased = await readOrderWithTickets(table, orgId, order.orderId);
    expect(erased?.memberships).toMatchObject([{ firstName: null, lastName: null, faceMinor: 24_050 }]);
    expect(await eraseBuyer(table, { orgId, orderId: order.orderId, nowUnix: noonUnix })).toBe('unchanged');
  });
});
