import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { payInstalment } from '../../../shared/charges/pay-instalment.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { savePlan } from '../../../shared/data/plans/plans.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { beginCharge } from '../../../shared/domain/plans/charge.ts';
import { webhookEvents } from '../../../shared/operations/schemas/webhook-event.ts';
import { findCharge } from '../../../shared/payments/sandbox-charges.ts';
import { sandboxDispute } from '../../../shared/payments/sandbox-dispute.ts';
import { announceDispute } from '../../../shared/sales/disputes/announce-dispute.ts';
import { recordDisputedMoney } from '../../../shared/sales/disputes/record-disputed-money.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweep, sweepWhenDue } from '../../support/plans.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const yearSeconds = 400 * 86_400;

/** A plan whose second instalment is paid. */
async function givenPaidInstalment() {
  const deps = newCheckoutDeps(table);
  const bought = await buyInInstalments(deps, await givenInstalmentType(deps));
  await sweepWhenDue(deps, bought.planId, 2);
  return { deps, ...bought };
}

async function disputeOf(deps: TestCheckoutDeps, chargeId: string) {
  const charge = await findCharge(table, { orgId: deps.orgId, chargeId });
  if (charge === undefined) throw new Error('There is no such charge.');
  return sandboxDispute(charge, deps.nowUnix);
}

const chargeOfInstalment = async (deps: TestCheckoutDeps, planId: number) =>
  (await planOf(deps, planId)).instalments[1]?.charge?.chargeId ?? '';

async function disputesOf(deps: TestCheckoutDeps) {
  const events = (await eventsOf(deps)).filter(({ type }) => type === 'order.disputed');
  return events.map((event) => v.parse(webhookEvents['order.disputed'], event).data);
}

describe('a dispute of an instalment', () => {
  it('stops the later charges, is announced once, and leaves access', async () => {
    const { deps, planId, memberId, order } = await givenPaidInstalment();
    const disputed = await disputeOf(deps, await chargeOfInstalment(deps, planId));
    for (const _ of [1, 2]) await announceDispute(deps, disputed);
    expect(await disputesOf(deps)).toMatchObject([
      { order: { order_id: order.orderId }, dispute: { amount: 40.08, reason: 'fraudulent' } },
    ]);
    const { dispute } = await planOf(deps, planId);
    expect(dispute).toEqual({ sinceUnix: deps.nowUnix, recorded: [disputed.dispute.disputeId] });
    deps.nowUnix += yearSeconds;
    await sweep(deps);
    expect(statusesOf(await planOf(deps, planId))).toEqual(['paid', 'paid', ...Array(4).fill('planned')]);
    expect(await chargesOf(deps)).toHaveLength(2);
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 2, overdueSinceUnix: null });
    // The member can pay anyway, and that does not start the charges again.
    const withCard = { planId, number: null, paymentMethod: 'pm_card_visa', returnUrl: null };
    expect(await payInstalment(deps, withCard)).toMatchObject({ outcome: 'paid' });
    await sweep(deps);
    expect(await chargesOf(deps)).toHaveLength(3);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of the first one, which is that of the order, stops them too', async () => {
    const { deps, planId, order } = await givenPaidInstalment();
    const { payment } = (await readBasket(table, deps.orgId, order.orderId)) ?? {};
    const disputed = await disputeOf(deps, payment?.chargeId ?? '');
    for (const _ of [1, 2]) await announceDispute(deps, disputed);
    expect(await disputesOf(deps)).toMatchObject([{ dispute: { amount: 40.1 } }]);
    deps.nowUnix += yearSeconds;
    await sweep(deps);
    expect(await chargesOf(deps)).toHaveLength(2);
    expect(await planOf(deps, planId)).toMatchObject({ dispute: { recorded: [disputed.dispute.disputeId] } });
  });

  it('enters the money into the journal, once withdrawn and once returned', async () => {
    const { deps, planId, order } = await givenPaidInstalment();
    const disputed = await disputeOf(deps, await chargeOfInstalment(deps, planId));
    for (const move of ['withdrawn', 'withdrawn', 'returned', 'returned'] as const) {
      await recordDisputedMoney(deps, disputed, move);
    }
    const entries = await entriesOfOrder(table, deps.orgId, order.orderId);
    expect(entries.map(({ kind, money }) => [kind, money])).toEqual([
      ['sale', { card: 4_010, receivable: 20_040 }],
      ['instalment', { card: 4_008, receivable: -4_008 }],
      ['dispute_withdrawn', { card: -4_008, disputes: 4_008 }],
      ['dispute_returned', { card: 4_008, disputes: -4_008 }],
    ]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('lets a charge end that is in progress, and ignores charges of others', async () => {
    const { deps, planId } = await givenPaidInstalment();
    const disputed = await disputeOf(deps, await chargeOfInstalment(deps, planId));
    await announceDispute(deps, { ...disputed, chargeId: 'sbx_ch_other' });
    expect((await planOf(deps, planId)).dispute).toBeUndefined();
    const plan = await planOf(deps, planId);
    const wanted = { number: 3, paymentMethod: null, requestId: null, nowUnix: deps.nowUnix };
    await savePlan(table, deps.orgId, plan, beginCharge(plan, wanted));
    await announceDispute(deps, disputed);
    deps.nowUnix = plan.instalments[2]?.dueUnix ?? 0;
    await sweep(deps);
    expect(await planOf(deps, planId)).toMatchObject({ charge: null });
    expect(await chargesOf(deps)).toHaveLength(2);
  });
});
