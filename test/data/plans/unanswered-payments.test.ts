import * as v from 'valibot';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle } from '../../../functions/api/members/pay-instalment.ts';
import { payInstalment } from '../../../shared/charges/pay-instalment.ts';
import type { PayCommand } from '../../../shared/charges/pay-outcomes.ts';
import { savePlan } from '../../../shared/data/plans/plans.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { returnInstalment } from '../../../shared/domain/plans/refund.ts';
import { payInstalment as payInstalmentOperation } from '../../../shared/operations/members/pay-instalment.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { givenKey } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf, checkoutDepsOf, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { callWithHeaders } from '../../support/call-operation.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweep, sweepWhenDue } from '../../support/plans.ts';
import { approve, memberOf } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function givenPlan(deps = newCheckoutDeps(table)) {
  return { deps, ...(await buyInInstalments(deps, await givenInstalmentType(deps))) };
}

const withMethod = { number: null, paymentMethod: 'pm_card_visa', returnUrl: null };

const paidCharges = async (deps: TestCheckoutDeps) =>
  (await chargesOf(deps)).filter(({ status }) => status === 'paid').length;

/** Pays, and never learns that it did: the answer of the provider is lost, or the member does not come back from the approval. */
async function payUnanswered(deps: TestCheckoutDeps, command: PayCommand): Promise<void> {
  const provider = await deps.payments.current();
  const silent: PaymentProvider = {
    ...provider,
    confirm: async (charge, signal) => {
      const confirmed = await provider.confirm(charge, signal);
      if (confirmed.outcome === 'paid') throw new Error('The connection was lost.');
      return confirmed;
    },
  };
  const payments = { ...deps.payments, current: async () => silent };
  const first = await payInstalment({ ...deps, payments }, command);
  if (first.outcome === 'action_required') await approve(deps, first.payment.client_secret);
  else expect(first).toEqual({ outcome: 'payment_unknown' });
}

let requests = 0;

/** A request over HTTP, with an Idempotency-Key. */
async function givenRequest(body: object) {
  requests += 1;
  const bought = await givenPlan(checkoutDepsOf(table, `org_payer${requests}`));
  const { deps, memberId } = bought;
  const { text: bearer } = await givenKey(table, deps.orgId);
  const params = { membership_member_id: String(memberId) };
  const call = { table, nowMs: deps.clock.nowMs(), bearer, params, body, idempotencyKey: 'once' };
  return { ...bought, send: () => callWithHeaders(payInstalmentOperation, handle, call) };
}

describe('pay-instalment after a payment that got no answer', () => {
  it.each([
    ['whose answer was lost', 'pm_card_visa'],
    ['that its owner approved and did not come back from', 'pm_card_authenticationRequired'],
  ] as const)('sent again after a payment %s charges one share, not two', async (_what, paymentMethod) => {
    const { deps, planId } = await givenPlan();
    const command = { planId, number: null, paymentMethod, returnUrl: null };
    await payUnanswered(deps, command);
    // The lease of the first request has ended, and so has the time in which its payment waits.
    deps.nowUnix += 901;
    expect(await payInstalment(deps, command)).toMatchObject({ outcome: 'paid', plan: { charge: null } });
    expect(statusesOf(await planOf(deps, planId)).slice(0, 3)).toEqual(['paid', 'paid', 'planned']);
    expect(await paidCharges(deps)).toBe(2);
  });

  it.each([
    ['whose answer was lost', 'pm_card_visa'],
    ['that its owner approved and did not come back from', 'pm_card_authenticationRequired'],
  ] as const)('sent again after the worker has found a payment %s reports it once', async (_what, paymentMethod) => {
    const { deps, planId } = await givenPlan();
    const command = { planId, number: null, paymentMethod, returnUrl: null };
    await payUnanswered(deps, command);
    deps.nowUnix += 901;
    await sweep(deps);
    expect(statusesOf(await planOf(deps, planId)).slice(0, 3)).toEqual(['paid', 'paid', 'planned']);
    deps.nowUnix += 60;
    expect(await payInstalment(deps, command)).toMatchObject({ outcome: 'paid', plan: { charge: null } });
    expect(statusesOf(await planOf(deps, planId)).slice(0, 3)).toEqual(['paid', 'paid', 'planned']);
    expect(await paidCharges(deps)).toBe(2);
    // Who knows that it is paid, and asks again, pays the next.
    expect(await payInstalment(deps, { ...command, paymentMethod: 'pm_card_visa' })).toMatchObject({ outcome: 'paid' });
    expect(await paidCharges(deps)).toBe(3);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('sent again reports what another request has found, and only to one of two at the same time', async () => {
    const { deps, planId } = await givenPlan();
    await payUnanswered(deps, { planId, ...withMethod });
    deps.nowUnix += 61;
    // Another page names the fourth share. Before it is charged, the second is found to be paid.
    expect(await payInstalment(deps, { planId, ...withMethod, number: 4 })).toMatchObject({ outcome: 'paid' });
    const again = await Promise.all([1, 2].map(() => payInstalment(deps, { planId, ...withMethod })));
    expect(again.map(({ outcome }) => outcome).filter((outcome) => outcome === 'paid').length).toBeGreaterThan(0);
    const statuses = statusesOf(await planOf(deps, planId)).slice(0, 5);
    const paidTwice = again.every(({ outcome }) => outcome === 'paid');
    expect(statuses).toEqual(['paid', 'paid', paidTwice ? 'paid' : 'planned', 'paid', 'planned']);
  });

  it.each([
    ['the request had named its share', { number: 2 }, 0],
    ['a day has passed', {}, 86_400],
  ] as const)('pays the next share after an unknown payment if %s', async (_what, named, laterSeconds) => {
    const { deps, planId } = await givenPlan();
    await payUnanswered(deps, { planId, ...withMethod, ...named });
    deps.nowUnix += 61;
    await sweep(deps);
    deps.nowUnix += laterSeconds;
    expect(await payInstalment(deps, { planId, ...withMethod })).toMatchObject({ outcome: 'paid' });
    expect(statusesOf(await planOf(deps, planId)).slice(0, 4)).toEqual(['paid', 'paid', 'paid', 'planned']);
  });

  it('does not report a share as paid whose charge was returned since', async () => {
    const { deps, planId } = await givenPlan();
    await payUnanswered(deps, { planId, ...withMethod });
    deps.nowUnix += 61;
    await sweep(deps);
    const plan = await planOf(deps, planId);
    await savePlan(table, deps.orgId, plan, returnInstalment(plan, 2, deps.nowUnix));
    expect(await payInstalment(deps, { planId, ...withMethod })).toMatchObject({ outcome: 'paid' });
    expect(await paidCharges(deps)).toBe(3);
  });

  it('with a card that the bank declined leaves the share as it was: the saved card is charged when it is due', async () => {
    const { deps, planId, memberId } = await givenPlan();
    const confirm: PaymentProvider['confirm'] = async (charge, signal) => {
      await (await deps.payments.current()).confirm(charge, signal);
      throw new Error('The connection was lost.');
    };
    const payments = { ...deps.payments, current: async () => ({ ...(await deps.payments.current()), confirm }) };
    const command = { planId, ...withMethod, number: 2, paymentMethod: 'pm_card_declined' };
    expect(await payInstalment({ ...deps, payments }, command)).toEqual({ outcome: 'payment_unknown' });
    deps.nowUnix += 61;
    await sweep(deps);
    expect((await planOf(deps, planId)).instalments[1]).toMatchObject({ status: 'planned', failure: null });
    expect(await memberOf(deps, memberId)).toMatchObject({ overdueSinceUnix: null });
    expect((await sweepWhenDue(deps, planId, 2)).instalments[1]).toMatchObject({ status: 'paid' });
  });

  it.each([
    ['with a card', { payment_method: 'pm_card_visa' }],
    ['elsewhere', { paid_elsewhere: true }],
  ])('paid %s and sent again with its Idempotency-Key gets the same response and pays nothing', async (_how, body) => {
    const { deps, planId, send } = await givenRequest(body);
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(again.headers['Idempotency-Replayed']).toBe('true');
    expect(statusesOf(await planOf(deps, planId)).slice(0, 3)).toEqual(['paid', 'paid', 'planned']);
  });

  it('on a page stores its response only when it is paid', async () => {
    const { deps, planId, send } = await givenRequest({});
    const { payment } = v.parse(v.object({ payment: v.object({ client_secret: v.string() }) }), (await send()).body);
    await approve(deps, payment.client_secret);
    for (const _ of ['paid', 'replayed']) expect((await send()).body).toMatchObject({ payment: null });
    expect(statusesOf(await planOf(deps, planId)).slice(0, 3)).toEqual(['paid', 'paid', 'planned']);
  });
});
