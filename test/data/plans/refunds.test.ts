import { beforeAll, describe, expect, it } from 'vitest';
import { recordPaidElsewhere } from '../../../shared/charges/pay-instalment.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { readOrder } from '../../../shared/data/orders/read.ts';
import { savePlan } from '../../../shared/data/plans/plans.ts';
import { planKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { beginCharge } from '../../../shared/domain/plans/charge.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { findingsOf, remove, set } from '../../support/audit.ts';
import { chargesOf, newCheckoutDeps } from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { expectEntries } from '../../support/journal.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweep, sweepWhenDue } from '../../support/plans.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function givenPlan() {
  const deps = newCheckoutDeps(table);
  return { deps, ...(await buyInInstalments(deps, await givenInstalmentType(deps))) };
}

describe('a refund of a membership in instalments', () => {
  it('ends what is owed, and returns each charge, newest first', async () => {
    const { deps, planId, memberId, order } = await givenPlan();
    await sweepWhenDue(deps, planId, 2);
    await sweepWhenDue(deps, planId, 3);
    await recordPaidElsewhere(deps, { planId, number: 4 });
    const requested = await refundOrder(deps, { orderId: order.orderId, tickets: [], members: [memberId] });
    expect(requested).toMatchObject({ outcome: 'recorded', refund: { amountMinor: 16_034, writtenOffMinor: 8_016 } });
    expect(statusesOf(await planOf(deps, planId))).toEqual(['paid', 'paid', 'paid', 'paid', 'cancelled', 'cancelled']);
    for (const charge of await chargesOf(deps)) expect(charge.refundedMinor).toBe(charge.amountMinor);
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 3 });
    expect(await readOrder(table, deps.orgId, order.orderId)).toMatchObject({
      status: 'refunded',
      totalMinor: 24_050,
      refundedMinor: 16_034,
      writtenOffMinor: 8_016,
    });
    await expectEntries(deps, order.orderId, ['sale', 'instalment', 'instalment', 'instalment', 'refund']);
    const refund = (await entriesOfOrder(table, deps.orgId, order.orderId)).find(({ kind }) => kind === 'refund');
    expect(refund).toMatchObject({
      transactionFeeMinor: 0,
      money: { card: -12_026, other: -4_008, receivable: -8_016 },
    });
    deps.nowUnix += 400 * 86_400;
    await sweep(deps);
    expect(await chargesOf(deps)).toHaveLength(3);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('waits for a charge that is in progress', async () => {
    const { deps, planId, order } = await givenPlan();
    const plan = await planOf(deps, planId);
    const wanted = { number: 2, paymentMethod: null, requestId: null, nowUnix: deps.nowUnix };
    await savePlan(table, deps.orgId, plan, beginCharge(plan, wanted));
    const request = { orderId: order.orderId, tickets: 'all', members: 'all' } as const;
    expect(await refundOrder(deps, request)).toEqual({ outcome: 'charge_in_progress' });
    deps.nowUnix = plan.instalments[1]?.dueUnix ?? 0;
    await sweep(deps);
    expect(await refundOrder(deps, request)).toMatchObject({ refund: { amountMinor: 8_018 } });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is the only way to end it: a cancellation would leave the debt', async () => {
    const { deps, planId, order } = await givenPlan();
    const cancel = () =>
      cancelOrRefundTickets(deps, order.orderId, { tickets: 'all', members: 'all', to: 'cancelled' });
    expect(await cancel()).toEqual({ outcome: 'plan_open' });
    for (const number of [2, 3, 4, 5, 6]) await recordPaidElsewhere(deps, { planId, number });
    expect(await cancel()).toMatchObject({ outcome: 'changed' });
  });
});

describe('the audit of plans', () => {
  it('finds a plan that does not add up, and one that is missing', async () => {
    const { deps, planId } = await givenPlan();
    const key = planKey(deps.orgId, planId);
    const { instalments } = await planOf(deps, planId);
    await set(table, key, 'instalments', [{ due: 1, amt: 4_010, st: 'paid' }, ...instalments.slice(2).map(stored)]);
    expect(await findingsOf(table, deps.orgId)).toEqual([
      { check: 'plans', row: `${key.pk} / #`, problem: expect.stringContaining('-4008') },
      { check: 'plans', row: `${key.pk} / #`, problem: 'The journal differs from what is owed: 4008.' },
    ]);
    await remove(table, key);
    expect((await findingsOf(table, deps.orgId))[0]).toMatchObject({ problem: 'The plan of a membership is missing.' });
  });
});

const stored = ({ dueUnix, amountMinor }: { dueUnix: number; amountMinor: number }) => ({
  due: dueUnix,
  amt: amountMinor,
});
