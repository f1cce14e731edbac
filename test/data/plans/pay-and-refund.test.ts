import { beforeAll, describe, expect, it } from 'vitest';
import { payInstalment, recordPaidElsewhere } from '../../../shared/charges/pay-instalment.ts';
import { cancelOrRefundTickets } from '../../../shared/checkout/cancel-or-refund-tickets.ts';
import { entriesOfOrder } from '../../../shared/data/journal/journal.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { readOrder } from '../../../shared/data/orders/read.ts';
import { planHint, savePlan } from '../../../shared/data/plans/plans.ts';
import { dueHintKey } from '../../../shared/data/table/due-hints.ts';
import { getItem } from '../../../shared/data/table/get-item.ts';
import { planKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { beginCharge } from '../../../shared/domain/plans/plan.ts';
import { decideSandboxPayment, readSandboxPayment } from '../../../shared/payments/sandbox-token.ts';
import { findingsOf, remove, set } from '../../support/audit.ts';
import { chargesOf, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
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

/** A plan whose second instalment the bank has declined for good. */
async function givenOverdue() {
  const bought = await givenPlan();
  const { deps, planId } = bought;
  const plan = await planOf(deps, planId);
  await savePlan(table, deps.orgId, plan, { ...plan, paymentMethod: 'pm_card_authenticationRequired' });
  await sweepWhenDue(deps, planId, 2);
  return bought;
}

const withMethod = { number: null, paymentMethod: 'pm_card_visa', returnUrl: null };
const onPage = { number: null, paymentMethod: null, returnUrl: null };

/** The member approves the payment on the page of the sandbox. */
async function approve(token: string | null): Promise<void> {
  const charge = await readSandboxPayment(table, token ?? '');
  if (charge === undefined) throw new Error('The sandbox has no such payment.');
  await decideSandboxPayment(table, charge, 'approve');
}

const paidCharges = async (deps: TestCheckoutDeps) =>
  (await chargesOf(deps)).filter(({ status }) => status === 'paid').length;

describe('pay-instalment', () => {
  it('with a payment method pays what is due, saves the card, and admits the member again', async () => {
    const { deps, planId, memberId } = await givenOverdue();
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ overdueSinceUnix: expect.any(Number) });
    const paid = await payInstalment(deps, { planId, ...withMethod });
    expect(paid).toMatchObject({ outcome: 'paid', plan: { paymentMethod: 'pm_card_visa', charge: null } });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ overdueSinceUnix: null });
    // Nothing else is due, so a repeat pays nothing.
    expect(await payInstalment(deps, { planId, ...withMethod })).toEqual({ outcome: 'not_due' });
    expect(await payInstalment(deps, { planId, ...withMethod, number: 2 })).toMatchObject({ outcome: 'paid' });
    expect(await paidCharges(deps)).toBe(2);
    expect((await sweepWhenDue(deps, planId, 3)).instalments[2]).toMatchObject({ status: 'paid' });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('pays an instalment ahead of time if it is named, and leaves a hint for the next', async () => {
    const { deps, planId } = await givenPlan();
    expect(await payInstalment(deps, { planId, ...withMethod })).toEqual({ outcome: 'not_due' });
    expect(await payInstalment(deps, { planId, ...withMethod, number: 9 })).toEqual({ outcome: 'no_such_instalment' });
    expect(await payInstalment(deps, { planId, ...withMethod, number: 2 })).toMatchObject({ outcome: 'paid' });
    const { dueUnix = 0 } = (await planOf(deps, planId)).instalments[2] ?? {};
    const hint = dueHintKey(planHint(deps.orgId, { planId }, dueUnix));
    expect(await getItem(table, hint, { consistent: true })).toBeDefined();
    expect(statusesOf(await sweepWhenDue(deps, planId, 3)).slice(0, 4)).toEqual(['paid', 'paid', 'paid', 'planned']);
  });

  it('a declined card leaves the instalment as it was', async () => {
    const { deps, planId } = await givenOverdue();
    const declined = await payInstalment(deps, { planId, ...withMethod, paymentMethod: 'pm_card_declined' });
    expect(declined).toMatchObject({ outcome: 'declined' });
    const unknown = await payInstalment(deps, { planId, ...withMethod, paymentMethod: 'pm_card_nobody' });
    expect(unknown).toEqual({ outcome: 'method_unknown' });
    expect(await planOf(deps, planId)).toMatchObject({ charge: null, paymentMethod: 'pm_card_authenticationRequired' });
    expect(statusesOf(await planOf(deps, planId))[1]).toBe('action_required');
  });

  it('on a page returns the same payment until it is paid, and then the plan', async () => {
    const { deps, planId } = await givenOverdue();
    const first = await payInstalment(deps, { planId, ...onPage });
    if (first.outcome !== 'prepared') throw new Error(first.outcome);
    expect(await payInstalment(deps, { planId, ...onPage })).toMatchObject({ payment: first.payment });
    await approve(first.payment.client_secret);
    expect(await payInstalment(deps, { planId, ...onPage })).toMatchObject({ outcome: 'paid' });
    expect(await payInstalment(deps, { planId, ...onPage })).toEqual({ outcome: 'not_due' });
    expect(await paidCharges(deps)).toBe(2);
  });

  it('a member who pays on a page and does not come back is found; one who does not pay is not charged', async () => {
    const { deps, planId } = await givenOverdue();
    const first = await payInstalment(deps, { planId, ...onPage });
    if (first.outcome !== 'prepared') throw new Error(first.outcome);
    deps.nowUnix += 901;
    await sweep(deps);
    expect(await planOf(deps, planId)).toMatchObject({ charge: null });
    expect(statusesOf(await planOf(deps, planId))[1]).toBe('action_required');
    const second = await payInstalment(deps, { planId, ...onPage });
    if (second.outcome !== 'prepared') throw new Error(second.outcome);
    await approve(second.payment.client_secret);
    deps.nowUnix += 901;
    await sweep(deps);
    expect(statusesOf(await planOf(deps, planId))[1]).toBe('paid');
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('with a card that needs the member waits, and the same request pays after the approval', async () => {
    const { deps, planId } = await givenOverdue();
    const command = { planId, ...withMethod, paymentMethod: 'pm_card_threeDSecure2Required' };
    const first = await payInstalment(deps, command);
    if (first.outcome !== 'action_required') throw new Error(first.outcome);
    await approve(first.payment.client_secret);
    expect(await payInstalment(deps, command)).toMatchObject({ outcome: 'paid' });
    expect(await paidCharges(deps)).toBe(2);
  });

  it('is refused while another process charges', async () => {
    const { deps, planId } = await givenOverdue();
    const plan = await planOf(deps, planId);
    const wanted = { number: 2, paymentMethod: null, requestId: null, nowUnix: deps.nowUnix };
    await savePlan(table, deps.orgId, plan, beginCharge(plan, wanted));
    expect(await payInstalment(deps, { planId, ...withMethod })).toEqual({ outcome: 'in_progress' });
    expect(await recordPaidElsewhere(deps, { planId, number: 2 })).toEqual({ outcome: 'in_progress' });
    deps.nowUnix += 61;
    expect(await payInstalment(deps, { planId, ...withMethod })).toMatchObject({ outcome: 'paid' });
  });
});

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
      ...{ status: 'refunded', totalMinor: 24_050, refundedMinor: 16_034, writtenOffMinor: 8_016 },
    });
    await expectEntries(deps, order.orderId, ['sale', 'instalment', 'instalment', 'instalment', 'refund']);
    const refund = (await entriesOfOrder(table, deps.orgId, order.orderId)).find(({ kind }) => kind === 'refund');
    expect(refund).toMatchObject({
      ...{ transactionFeeMinor: 0, money: { card: -12_026, other: -4_008, receivable: -8_016 } },
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
