import { beforeAll, describe, expect, it } from 'vitest';
import { saveRenewal } from '../../../shared/data/renewals/renewals.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { beginRenewal } from '../../../shared/domain/renewals/renewal.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import {
  cancelMember,
  cancelOrder,
  carryOut,
  type Due,
  givenDue,
  refund,
  request,
} from '../../support/faults/renewal-race-scenario.ts';
import { keptMinor, memberOf, renew, renewalOf } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const price = 24_050;

/** The worker has taken the lease, and opened a basket that does not exist. */
async function beginCharge(deps: TestCheckoutDeps, { memberId }: Due): Promise<void> {
  const renewal = await renewalOf(deps, memberId);
  await saveRenewal(table, deps.orgId, renewal, beginRenewal(renewal, 1, deps.nowUnix));
}

describe('the last term of a member whose next one is being charged', () => {
  it.each([
    ['refund-order', refund],
    ['cancel-order', cancelOrder],
    ['cancel-member', cancelMember],
  ])('is not ended by %s', async (_operation, end) => {
    const deps = newCheckoutDeps(table);
    const due = await givenDue(deps);
    await beginCharge(deps, due);
    const before = await memberOf(deps, due.memberId);
    expect(await end(deps, due)).toEqual({ outcome: 'charge_in_progress' });
    expect(await memberOf(deps, due.memberId)).toEqual(before);
    expect(await keptMinor(deps)).toBe(2 * price);
  });

  it('is ended by a refund that was requested before, and does not renew itself any more', async () => {
    const deps = newCheckoutDeps(table);
    const due = await givenDue(deps);
    expect(await request(deps, due)).toMatchObject({ outcome: 'recorded' });
    await beginCharge(deps, due);
    await carryOut(deps, due);
    expect(await memberOf(deps, due.memberId)).toMatchObject({ autoRenew: false, statusId: 1 });
    deps.nowUnix += 61;
    await renew(deps);
    expect(await renewalOf(deps, due.memberId)).toMatchObject({ isOn: false, attempt: null });
    expect(await keptMinor(deps)).toBe(price);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
