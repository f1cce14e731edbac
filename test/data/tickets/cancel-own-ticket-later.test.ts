import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { recordFailedRefund } from '../../../shared/sales/refunds/record-failed-refund.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf, givenOnSale, type TestCheckoutDeps } from '../../support/baskets.ts';
import { failInSandbox, failures, moneyOf } from '../../support/failed-refunds.ts';
import { bought, refusal, terms } from '../../support/own-tickets.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { audited, join, leftOf, serve, statuses as statusesOfList } from '../../support/waiting-list.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

describe('after cancel-own-ticket', () => {
  it('the place goes to the first in the waiting list, and to nobody in between', async () => {
    const onSale = async ({ orgId }: TestCheckoutDeps) => {
      await givenOrganisation(table, orgId);
      return givenOnSale(table, orgId, { capacity: 2, ...terms });
    };
    const { deps, price, cancel, execute, statuses } = await bought(table, { onSale });
    for (const name of ['ada', 'bob']) await join(deps, price, name);
    await cancel();
    expect(await leftOf(deps, price)).toEqual({ avail: 0, capacity: 2, closed: true });
    await execute();
    expect(await statuses()).toEqual([3, 1]);
    expect(await leftOf(deps, price)).toEqual({ avail: 1, capacity: 2, closed: true });
    await serve(deps, price);
    expect(await statusesOfList(deps, price)).toEqual(['ada offered', 'bob waiting']);
    expect(await leftOf(deps, price)).toEqual({ avail: 0, capacity: 2, closed: true });
    expect(await audited(deps, price)).toEqual([]);
  });

  it('a refund that fails days later is booked back and announced once, and staff can return the money', async () => {
    const { deps, orderId, ticketId, cancel, execute, statuses, free, scan } = await bought(table);
    await cancel();
    await execute();
    const failed = { key: `${orderId}-refund-1`, amountMinor: 2_894 };
    deps.nowUnix += 3 * 86_400;
    await failInSandbox(deps, failed);
    for (let time = 0; time < 2; time += 1) await recordFailedRefund(deps, { basketId: orderId, number: 1, failed });
    // As after any refund that fails later: the place is on sale again, so the ticket stays cancelled.
    expect(await statuses()).toEqual([2, 1]);
    expect(await free()).toBe(9);
    expect(await failures(deps)).toHaveLength(1);
    expect(await moneyOf(deps, orderId)).toEqual([
      ['sale', 6_430],
      ['refund', -2_894],
      ['refund_failed', 2_894],
    ]);
    expect(await scan()).toBe('cancelled');
    expect(await cancel()).toEqual(refusal('cancelled'));
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    const wanted = {
      orderId,
      tickets: [ticketId],
      reason: null,
      returnedBy: undefined,
      keep: { percent: 10 },
    } as const;
    expect(await requestRefund(deps, wanted, () => [])).toMatchObject({ outcome: 'recorded' });
    await execute();
    expect(await statuses()).toEqual([3, 1]);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 2_894 }]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
