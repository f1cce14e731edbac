import { beforeAll, describe, expect, it } from 'vitest';
import { readMember } from '../../../shared/data/members/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf, newCheckoutDeps } from '../../support/baskets.ts';
import { crashingDeps } from '../../support/faults/crashing-deps.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { expectEntries } from '../../support/journal.ts';
import { buyMembership, givenType } from '../../support/memberships.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Refunds a membership in a process that crashes at a call, and sweeps. Returns whether it crashed. */
async function runRefundCrash(at: number): Promise<boolean> {
  const deps = newCheckoutDeps(table);
  const { orgId } = deps;
  await givenOrganisation(table, orgId);
  const { order, memberships } = await buyMembership(deps, await givenType(table, orgId, { capacity: 3 }));
  const memberId = memberships[0]?.memberId ?? 0;
  const { crashPoint, crashing } = await crashingDeps(deps, { at, when: at % 4 === 1 ? 'before' : 'after' });
  const request = { orderId: order.orderId, tickets: [], members: [memberId] };
  const answered = await crashPoint.resultOf(refundOrder(crashing, request));
  deps.nowUnix += 3_600;
  await sweepBaskets(deps);
  const placed = await readOrderWithTickets(table, orgId, order.orderId);
  const status = placed?.memberships[0]?.status ?? 0;
  // Without a crash it is refunded.
  expect(answered === undefined ? [1, 3] : [3]).toContain(status);
  const { refundedMinor, ...expected } = status === 3 ? refunded : notRefunded;
  expect(await readMember(table, orgId, memberId)).toMatchObject({ statusId: status });
  expect(await termsOfMember(table, orgId, memberId)).toMatchObject([{ state: expected.state }]);
  expect(await chargesOf(deps)).toMatchObject([{ refundedMinor }]);
  await expectEntries(deps, order.orderId, expected.entries);
  expect(await findingsOf(table, orgId)).toEqual([]);
  return answered === undefined;
}

const refunded = { refundedMinor: 24_050, state: 'refunded', entries: ['sale', 'refund'] };
const notRefunded = { refundedMinor: 0, state: 'active', entries: ['sale'] };

describe('a refund of a membership that crashes', () => {
  it('ends membership, term and access together with the money, or none of them', async () => {
    let at = 1;
    while (await runRefundCrash(at)) at += 2;
    expect(at).toBeGreaterThan(8);
  });
});
