import { beforeAll, describe, expect, it } from 'vitest';
import { payInstalment, recordPaidElsewhere } from '../../../shared/charges/pay-instalment.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { planHint, savePlan } from '../../../shared/data/plans/plans.ts';
import { dueHintKey } from '../../../shared/data/table/due-hints.ts';
import { getItem } from '../../../shared/data/table/get-item.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { beginCharge } from '../../../shared/domain/plans/charge.ts';
import type { KnownCharge, PaymentProvider, PaymentState } from '../../../shared/payments/provider.ts';
import { decideSandboxPayment, readSandboxPayment } from '../../../shared/payments/sandbox-token.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
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
  it('with a payment method pays what is due, and admits the member again; the saved card stays', async () => {
    const { deps, planId, memberId } = await givenOverdue();
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ overdueSinceUnix: expect.any(Number) });
    const paid = await payInstalment(deps, { planId, ...withMethod });
    const card = 'pm_card_authenticationRequired';
    expect(paid).toMatchObject({ outcome: 'paid', plan: { paymentMethod: card, charge: null } });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ overdueSinceUnix: null });
    expect(await payInstalment(deps, { planId, ...withMethod, number: 2 })).toMatchObject({ outcome: 'paid' });
    expect(await paidCharges(deps)).toBe(2);
    expect((await sweepWhenDue(deps, planId, 3)).instalments[2]).toMatchObject({ status: 'action_required' });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it.each(['with a payment method', 'on a page'] as const)('with save replaces the card %s', async (how) => {
    const { deps, planId } = await givenOverdue();
    await sweepWhenDue(deps, planId, 3);
    const command = { planId, number: 3, paymentMethod: how === 'on a page' ? null : 'pm_card_visa', returnUrl: null };
    const first = await payInstalment(deps, { ...command, saves: true });
    if (first.outcome === 'prepared') {
      await approve(first.payment.client_secret);
      await payInstalment(deps, { ...command, saves: true });
    }
    expect(await planOf(deps, planId)).toMatchObject({ paymentMethod: 'pm_card_visa', charge: null });
    // The share that needed the member is charged to the new card too.
    await sweep(deps);
    expect(statusesOf(await planOf(deps, planId)).slice(0, 4)).toEqual(['paid', 'paid', 'paid', 'planned']);
    expect((await sweepWhenDue(deps, planId, 4)).instalments[3]).toMatchObject({ status: 'paid' });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of a membership that belongs to another customer by now uses and saves nothing of who owes it', async () => {
    const { deps, planId } = await givenOverdue();
    const before = await planOf(deps, planId);
    const prepared: (string | null)[] = [];
    const provider = await deps.payments.current();
    const watched: PaymentProvider = {
      ...provider,
      prepare: (charge, signal) => {
        prepared.push(charge.customer);
        return provider.prepare(charge, signal);
      },
    };
    const payments = { ...deps.payments, current: async () => watched };
    const paid = await payInstalment({ ...deps, payments }, { planId, ...withMethod, userId: 4711 });
    expect(paid).toMatchObject({ outcome: 'paid' });
    expect(prepared).toEqual([null]);
    const { customer, paymentMethod } = await planOf(deps, planId);
    expect({ customer, paymentMethod }).toEqual({ customer: before.customer, paymentMethod: before.paymentMethod });
    expect(await payInstalment(deps, { planId, ...withMethod, userId: 4711, saves: true })).toEqual({
      outcome: 'other_person',
    });
  });

  it('without a number pays the oldest share that is due, else the next, and leaves a hint for the one after it', async () => {
    const { deps, planId } = await givenPlan();
    expect(await payInstalment(deps, { planId, ...withMethod, number: 9 })).toEqual({ outcome: 'no_such_instalment' });
    expect(await payInstalment(deps, { planId, ...withMethod })).toMatchObject({ outcome: 'paid' });
    expect(statusesOf(await planOf(deps, planId)).slice(0, 3)).toEqual(['paid', 'paid', 'planned']);
    const { dueUnix = 0 } = (await planOf(deps, planId)).instalments[2] ?? {};
    const hint = dueHintKey(planHint(deps.orgId, { planId }, dueUnix));
    expect(await getItem(table, hint, { consistent: true })).toBeDefined();
    expect(await payInstalment(deps, { planId, ...withMethod, number: 5 })).toMatchObject({ outcome: 'paid' });
    expect(statusesOf(await sweepWhenDue(deps, planId, 3)).slice(0, 4)).toEqual(['paid', 'paid', 'paid', 'planned']);
    for (const _ of [4, 6]) await payInstalment(deps, { planId, ...withMethod });
    expect(statusesOf(await planOf(deps, planId))).toEqual(Array.from({ length: 6 }, () => 'paid'));
    expect(await payInstalment(deps, { planId, ...withMethod })).toEqual({ outcome: 'not_due' });
  });

  it('a declined card leaves the instalment as it was', async () => {
    const { deps, planId } = await givenOverdue();
    const declined = await payInstalment(deps, { planId, ...withMethod, paymentMethod: 'pm_card_declined' });
    expect(declined).toMatchObject({ outcome: 'declined' });
    const unknown = await payInstalment(deps, { planId, ...withMethod, paymentMethod: 'pm_card_nobody' });
    expect(unknown).toEqual({ outcome: 'method_unknown', isGone: true });
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
    expect(await payInstalment(deps, { planId, ...onPage, number: 2 })).toMatchObject({ outcome: 'paid' });
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

  it('with a card whose owner fails to approve it is declined, and may be tried again', async () => {
    const { deps, planId } = await givenOverdue();
    const command = { planId, ...withMethod, paymentMethod: 'pm_card_threeDSecure2Required' };
    const first = await payInstalment(deps, command);
    if (first.outcome !== 'action_required') throw new Error(first.outcome);
    const charge = await readSandboxPayment(table, first.payment.client_secret ?? '');
    if (charge === undefined) throw new Error('The sandbox has no such payment.');
    await decideSandboxPayment(table, charge, 'fail');
    expect(await payInstalment(deps, command)).toMatchObject({ outcome: 'declined', code: 'generic_decline' });
    expect(await planOf(deps, planId)).toMatchObject({ charge: null });
    expect(statusesOf(await planOf(deps, planId))[1]).toBe('action_required');
    expect(await payInstalment(deps, command)).toMatchObject({ outcome: 'action_required' });
  });

  it.each(['requires_payment_method', 'failed'] as const)(
    'answers declined when the provider shows a waiting payment as %s',
    async (status) => {
      const { deps, planId } = await givenOverdue();
      const command = { planId, ...withMethod, paymentMethod: 'pm_card_threeDSecure2Required' };
      expect(await payInstalment(deps, command)).toMatchObject({ outcome: 'action_required' });
      const code = 'payment_intent_authentication_failure';
      const byName = async () => ({
        ...(await deps.payments.current()),
        retrieve: async (known: KnownCharge, signal: AbortSignal): Promise<PaymentState> => ({
          ...(await (await deps.payments.current()).retrieve(known, signal)),
          status,
          declineCode: code,
          declineMessage: 'The owner did not approve it.',
        }),
      });
      const failing = { ...deps, payments: { ...deps.payments, byName } };
      expect(await payInstalment(failing, command)).toMatchObject({ outcome: 'declined', code });
      expect((await planOf(deps, planId)).charge).toBeNull();
    },
  );

  it('keeps a charge that the provider has not cancelled: only failed ends it', async () => {
    const { deps, planId } = await givenOverdue();
    const first = await payInstalment(deps, { planId, ...onPage });
    if (first.outcome !== 'prepared') throw new Error(first.outcome);
    const provider = await deps.payments.current();
    // The provider answers the cancellation with a payment that the member can still make.
    const payments = { ...deps.payments, byName: async () => ({ ...provider, cancel: provider.retrieve }) };
    deps.nowUnix += 901;
    await sweep({ ...deps, payments });
    expect((await planOf(deps, planId)).charge).not.toBeNull();
    await approve(first.payment.client_secret);
    deps.nowUnix += 3_600;
    await sweep(deps);
    expect(statusesOf(await planOf(deps, planId))[1]).toBe('paid');
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
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
