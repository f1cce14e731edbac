import { beforeAll, describe, expect, it } from 'vitest';
import { changeMember } from '../../../shared/data/members/change.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { buyMembership, givenType, person } from '../../support/memberships.ts';
import {
  announcements,
  announceTwice,
  daySeconds,
  keptMinor,
  memberOf,
  renewAt,
  saveCard,
  switchOn,
} from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function moveTo({ orgId, nowUnix }: TestCheckoutDeps, memberId: number, userId: number): Promise<void> {
  await changeMember(table, { orgId, memberId, nowUnix, change: () => ({ userId }) });
}

/** A family of two. The first belongs to Ben by now. */
async function givenTwoOwners() {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId);
  const type = await givenType(table, deps.orgId, { persons: 2 });
  const { memberships, order } = await buyMembership(deps, type, [person('Ben'), person('Ada')]);
  const [ofBen = 0, ofAda = 0] = memberships.map(({ memberId }) => memberId);
  const ben = await givenCustomer(table, deps.orgId, { orgCustomerId: 'ben', emailAddress: 'ben@example.com' });
  await moveTo(deps, ofBen, ben.userId);
  const { expiresUnix } = await memberOf(deps, ofBen);
  return { deps, ofBen, ofAda, ben: ben.userId, ada: order.userId ?? 0, expiresUnix: expiresUnix ?? 0 };
}

/** The order of the last term of a member: who paid, and for whom. */
async function lastOrderOf(deps: TestCheckoutDeps, memberId: number) {
  const { orderId } = await memberOf(deps, memberId);
  const placed = await readOrderWithTickets(table, deps.orgId, Number(orderId));
  return { userId: placed?.order.userId, memberIds: placed?.memberships.map((one) => one.memberId) };
}

describe('auto-renewal of a family with two owners', () => {
  it('charges each owner only for the members of that owner', async () => {
    const { deps, ofBen, ofAda, ben, ada, expiresUnix } = await givenTwoOwners();
    await switchOn(deps, ofBen, 'pm_card_visa');
    await switchOn(deps, ofAda, 'pm_card_visa');
    const bought = await keptMinor(deps);
    await announceTwice(deps, ofBen);
    await announceTwice(deps, ofAda);
    expect((await announcements(deps)).map(({ membership_member_ids }) => membership_member_ids)).toContainEqual([
      ofBen,
    ]);
    await renewAt(deps, expiresUnix - 1);
    expect(await lastOrderOf(deps, ofBen)).toEqual({ userId: ben, memberIds: [ofBen] });
    expect(await lastOrderOf(deps, ofAda)).toEqual({ userId: ada, memberIds: [ofAda] });
    expect(await keptMinor(deps)).toBe(3 * bought);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('leaves the members of an owner who did not agree to it', async () => {
    const { deps, ofBen, ofAda, ben, expiresUnix } = await givenTwoOwners();
    await switchOn(deps, ofBen, 'pm_card_visa');
    await announceTwice(deps, ofBen);
    await renewAt(deps, expiresUnix - 1);
    expect(await lastOrderOf(deps, ofBen)).toEqual({ userId: ben, memberIds: [ofBen] });
    expect((await memberOf(deps, ofAda)).expiresUnix).toBe(expiresUnix);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});

describe('a member that was cancelled for the end', () => {
  /** Ada has cancelled the family, then Ben has got his member, Ada stays after all, and Ben's member returns to her. */
  async function givenReturned() {
    const found = await givenTwoOwners();
    const { deps, ofBen, ofAda, ada, ben } = found;
    await cancelMembership(deps, { memberId: ofBen, when: 'end', refund: 'none' }, () => []);
    await switchOn(deps, ofAda, 'pm_card_visa');
    await moveTo(deps, ofBen, ada);
    expect((await memberOf(deps, ofBen)).userId).not.toBe(ben);
    return found;
  }

  it.each(['of its own', 'of the member who renews itself'])(
    'does not join an auto-renewal by set-payment-method %s, and is not renewed',
    async (which) => {
      const { deps, ofBen, ofAda, expiresUnix } = await givenReturned();
      await saveCard(deps, which === 'of its own' ? ofBen : ofAda, 'pm_card_mastercard');
      expect(await memberOf(deps, ofBen)).toMatchObject({ autoRenew: false, cancelledUnix: deps.nowUnix });
      expect(await findingsOf(table, deps.orgId)).toEqual([]);
      for (const days of [30, 7, 0]) await renewAt(deps, expiresUnix - days * daySeconds - 1);
      expect((await memberOf(deps, ofBen)).expiresUnix).toBe(expiresUnix);
      expect((await memberOf(deps, ofAda)).expiresUnix).toBeGreaterThan(expiresUnix);
      expect(await findingsOf(table, deps.orgId)).toEqual([]);
    },
  );

  it('stays after all, and is renewed, when set-auto-renew switches it on', async () => {
    const { deps, ofBen, ofAda, ada, expiresUnix } = await givenReturned();
    await switchOn(deps, ofBen, 'pm_card_visa');
    expect(await memberOf(deps, ofBen)).toMatchObject({ autoRenew: true, cancelledUnix: null });
    for (const days of [30, 7, 0]) await renewAt(deps, expiresUnix - days * daySeconds - 1);
    const { userId, memberIds } = await lastOrderOf(deps, ofBen);
    expect(userId).toBe(ada);
    expect(memberIds?.toSorted()).toEqual([ofBen, ofAda].toSorted());
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
