import { beforeAll, describe, expect, it } from 'vitest';
import { commitMember, withFields } from '../../../shared/data/members/change.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { noSideEffects } from '../../../shared/data/table/transact.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { findingsOf } from '../../support/audit.ts';
import { addItem, checkOutWith, givenOnSale, noonUnix, type TestCheckoutDeps } from '../../support/baskets.ts';
import { eventsOf, refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { expectEntries } from '../../support/journal.ts';
import {
  buyMembership,
  givenClub,
  givenRenewalBasket,
  givenType,
  leftOf,
  person,
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

describe('a renewal', () => {
  it('keeps number, barcode and seat, and its term begins where the last one ends, on the same day of the year', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId, { capacity: 1 });
    const { member } = await buyOne(deps, type);
    const { order, memberships } = await renewMember(deps, member.memberId);
    const renewed = await memberOf(deps, member.memberId);
    const { memberNumber, barcode, userId, typeId, createdUnix } = member;
    expect(renewed).toMatchObject({ memberNumber, barcode, userId, typeId, createdUnix, statusId: 1 });
    expect(renewed.orderId).toBe(String(order.orderId));
    const [first, second] = await termsOfMember(table, orgId, member.memberId);
    expect(second).toMatchObject({
      fromUnix: first?.untilUnix,
      untilUnix: renewed.expiresUnix,
      orderId: order.orderId,
      state: 'active',
      priceMinor: 24_050,
      before: { expiresUnix: member.expiresUnix, orderId: member.orderId },
    });
    // The leap year has 366 days, and the day does not move.
    const { expiresUnix } = renewed;
    expect((expiresUnix ?? 0) - (member.expiresUnix ?? 0)).toBe(366 * 86_400);
    expect(memberships).toMatchObject([{ memberId: member.memberId, firstName: 'Ada', expiresUnix }]);
    // The place of the type stays taken, and no second one is.
    expect(await leftOf(table, orgId, type)).toBe(0);
    await expectEntries(deps, order.orderId, ['sale']);
    expect((await eventsOf(deps)).map(({ type: name }) => name).slice(2)).toEqual([
      ...['order.completed', 'member.updated', 'membership.renewed'],
    ]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('after the membership has lapsed begins now, and changes the type at once', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const next = await givenType(table, orgId, { capacity: 5 }, 'next');
    const type = await givenType(table, orgId, { renewsAsTypeId: next.typeId });
    const { member } = await buyOne(deps, type);
    deps.nowUnix += 2 * year;
    await renewMember(deps, member.memberId);
    expect(await memberOf(deps, member.memberId)).toMatchObject({ typeId: next.typeId, typeTitle: next.title });
    const [, term] = await termsOfMember(table, orgId, member.memberId);
    expect(term).toMatchObject({ fromUnix: deps.nowUnix, typeId: next.typeId });
    expect(await leftOf(table, orgId, next)).toBe(4);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('as the type of the next season changes the type when that term begins', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const seasonEnd = noonUnix + 100 * 86_400;
    const next = await givenType(table, orgId, { termMonths: null, expiresUnix: seasonEnd + year }, 'next');
    const season = { termMonths: null, expiresUnix: seasonEnd, renewsAsTypeId: next.typeId };
    const type = await givenType(table, orgId, season);
    const { member } = await buyOne(deps, type);
    await renewMember(deps, member.memberId);
    expect(await memberOf(deps, member.memberId)).toMatchObject({
      typeId: type.typeId,
      expiresUnix: seasonEnd + year,
    });
    deps.nowUnix = seasonEnd - 1;
    await sweepBaskets(deps);
    expect(await memberOf(deps, member.memberId)).toMatchObject({ typeId: type.typeId });
    deps.nowUnix = seasonEnd;
    await sweepBaskets(deps);
    await sweepBaskets(deps);
    const begun = await memberOf(deps, member.memberId);
    expect(begun).toMatchObject({ typeId: next.typeId, typeTitle: next.title, expiresUnix: seasonEnd + year });
    const updates = (await eventsOf(deps)).filter(({ type: name }) => name === 'member.updated');
    expect(updates.at(-1)).toMatchObject({ data: { member: { membership_type_id: next.typeId } } });
    expect(updates).toHaveLength(2);
    // Nothing follows the next season.
    await expect(givenRenewalBasket(deps, member.memberId)).rejects.toThrow('"because":"no_next_type"');
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('of a family renews all of its members who are not cancelled, and shares the price', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId, { persons: 3, priceThousandths: 100_000 });
    const { memberships } = await buyMembership(
      deps,
      type,
      ['Ada', 'Byron', 'Anne'].map((name) => person(name)),
    );
    const [one, two, three] = memberships.map(({ memberId }) => memberId);
    const before = await memberOf(deps, three ?? 0);
    const after = withFields(before, { statusId: 3 }, noonUnix);
    await commitMember(table, orgId, { before, after }, noSideEffects);
    const renewed = await renewMember(deps, two ?? 0);
    expect(renewed.memberships.map(({ memberId, faceMinor }) => [memberId, faceMinor])).toEqual([
      [two, 5_000],
      [one, 5_000],
    ]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('of a member that was imported works, and its refund returns to what was imported', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId);
    const imported = aMember({
      typeId: type.typeId,
      expiresUnix: noonUnix + 86_400,
      statusId: 0,
      orderId: 'A-17',
      seatTitle: '17',
    });
    await givenMembers(table, orgId, [imported]);
    const { order, memberships } = await renewMember(deps, imported.memberId);
    // Another customer has paid: the name of the member stays with the member.
    expect(memberships).toMatchObject([{ firstName: null, lastName: null }]);
    expect(await memberOf(deps, imported.memberId)).toMatchObject({
      statusId: 1,
      orderId: String(order.orderId),
      seatTitle: '17',
      userId: imported.userId,
    });
    await refundOrder(deps, { orderId: order.orderId, tickets: [], members: [imported.memberId] });
    const { expiresUnix, orderId, statusId } = imported;
    expect(await memberOf(deps, imported.memberId)).toMatchObject({ expiresUnix, orderId, statusId });
    expect(await findingsOf(table, orgId)).toEqual([]);
    await renewMember(deps, imported.memberId);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('with pro rata costs the whole months from the end of the last term on', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const month = 31 * 86_400;
    const rule = { termMonths: null, proRata: 'month', expiresUnix: noonUnix + 12 * month } as const;
    const next = await givenType(table, orgId, { ...rule, priceThousandths: 120_000 }, 'next');
    const type = await givenType(table, orgId, {
      ...rule,
      expiresUnix: noonUnix + 6 * month,
      renewsAsTypeId: next.typeId,
    });
    const { order, member } = await buyOne(deps, type);
    // Six months and some days of twelve are left, then again.
    expect([order.totalMinor, order.discountMinor]).toEqual([12_025, 12_025]);
    expect((await renewMember(deps, member.memberId)).order).toMatchObject({ totalMinor: 6_000, discountMinor: 6_000 });
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('proves a price for members of its type, and counts with what the member has bought', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId);
    const { member } = await buyOne(deps, type);
    const { price } = await givenOnSale(table, orgId, { membershipTypeId: type.typeId, maxPerMember: 2 });
    const buyWith = async (quantity: number) => {
      const basketId = await givenRenewalBasket(deps, member.memberId);
      await addItem(deps, basketId, price, quantity);
      return checkOutWith(deps, basketId, { membershipMemberId: member.memberId });
    };
    expect(await buyWith(3)).toMatchObject({ refusal: { reason: 'too_many_per_member' } });
    expect(await buyWith(2)).toMatchObject({ outcome: 'confirmed' });
    expect(await buyWith(1)).toMatchObject({ refusal: { reason: 'too_many_per_member' } });
    expect(await findingsOf(table, orgId)).toEqual([]);
  });
});
