import { beforeAll, describe, expect, it } from 'vitest';
import { readMember } from '../../../shared/data/members/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { findingsOf } from '../../support/audit.ts';
import { addItem, checkOutWith, givenOnSale } from '../../support/baskets.ts';
import { eventsOf, refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { expectEntries } from '../../support/journal.ts';
import { givenClub, givenMembershipBasket, givenType, leftOf, person } from '../../support/memberships.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('a cancelled event', () => {
  it('whose order has a membership too refunds the tickets, and the membership stays', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId);
    const { price } = await givenOnSale(table, orgId);
    const basketId = await givenMembershipBasket(deps, type);
    await addItem(deps, basketId, price, 1);
    await checkOutWith(deps, basketId);
    await refundOrder(deps, { orderId: basketId, tickets: 'all' });
    const placed = await readOrderWithTickets(table, orgId, basketId);
    expect(placed).toMatchObject({
      order: { status: 'confirmed', refundedMinor: 3_215 },
      memberships: [{ status: 1 }],
    });
    expect(await findingsOf(table, orgId)).toEqual([]);
  });
});

describe('a refund', () => {
  it('of a membership ends it with its term in one transaction, and returns its place', async () => {
    const deps = await givenClub(table);
    const { orgId } = deps;
    const type = await givenType(table, orgId, { persons: 2, capacity: 4 });
    const { price } = await givenOnSale(table, orgId);
    const basketId = await givenMembershipBasket(deps, type, [person('Ada'), person('Byron')]);
    await addItem(deps, basketId, price, 2);
    const result = await checkOutWith(deps, basketId);
    if (result.outcome !== 'confirmed') throw new Error(result.outcome);
    const [one, other] = result.placed.memberships.map(({ memberId }) => memberId);
    // One member of a couple is refunded with the other.
    const requested = await refundOrder(deps, { orderId: basketId, tickets: [], members: [one ?? 0] });
    expect(requested).toMatchObject({ refund: { memberIds: [one, other], ticketIds: [], amountMinor: 24_050 } });
    for (const memberId of [one, other]) {
      expect(await readMember(table, orgId, memberId ?? 0)).toMatchObject({ statusId: 3 });
      expect(await termsOfMember(table, orgId, memberId ?? 0)).toMatchObject([{ state: 'refunded' }]);
    }
    expect(await leftOf(table, orgId, type)).toBe(4);
    await expectEntries(deps, basketId, ['sale', 'refund']);
    expect(await findingsOf(table, orgId)).toEqual([]);
    const again = await refundOrder(deps, { orderId: basketId, tickets: [], members: [other ?? 0] });
    expect(again).toEqual({ outcome: 'already_refunded', ticketIds: [], memberIds: [other] });
    expect(await refundOrder(deps, { orderId: basketId, tickets: 'all', members: 'all' })).toMatchObject({
      refund: { memberIds: [], amountMinor: 6_430 },
    });
    await expectEntries(deps, basketId, ['sale', 'refund', 'refund']);
    expect((await eventsOf(deps)).map(({ type: name }) => name)).toEqual([
      'order.completed',
      'member.created',
      'member.created',
      'order.refunded',
      'member.updated',
      'member.updated',
      'order.refunded',
    ]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });
});
