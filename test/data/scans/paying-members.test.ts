import { beforeAll, describe, expect, it } from 'vitest';
import { payInstalment } from '../../../shared/charges/pay-instalment.ts';
import { savePlan } from '../../../shared/data/plans/plans.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { refusalAtGate } from '../../support/members-at-gate.ts';
import { buyInInstalments, givenInstalmentType, planOf, sweep, sweepWhenDue } from '../../support/plans.ts';
import { memberOf } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** A member whose second instalment was declined, on the last day of grace. */
async function givenOverdue() {
  const deps = newCheckoutDeps(table);
  const bought = await buyInInstalments(deps, await givenInstalmentType(deps, { gameDayAccess: 1, graceDays: 14 }));
  const { planId, memberId } = bought;
  const plan = await planOf(deps, planId);
  await savePlan(table, deps.orgId, plan, { ...plan, paymentMethod: 'pm_card_authenticationRequired' });
  await sweepWhenDue(deps, planId, 2);
  deps.nowUnix += 14 * 86_400 - 10;
  expect(await refusalAtGate(deps, memberId)).toBeUndefined();
  return { deps, planId, memberId };
}

/** The provider gets the payment, and its answer is lost. */
async function payUnanswered(deps: TestCheckoutDeps, planId: number, confirm: PaymentProvider['confirm']) {
  const current = async () => ({ ...(await deps.payments.current()), confirm });
  const payments = { ...deps.payments, current };
  const command = { planId, number: 2, paymentMethod: 'pm_card_visa', returnUrl: null };
  expect(await payInstalment({ ...deps, payments }, command)).toEqual({ outcome: 'payment_unknown' });
}

describe('a gate, and a member whose grace ends while an instalment is being paid', () => {
  it('admits the member while the outcome is not known, and after it is paid', async () => {
    const { deps, planId, memberId } = await givenOverdue();
    await payUnanswered(deps, planId, async (charge, signal) => {
      await (await deps.payments.current()).confirm(charge, signal);
      throw new Error('The connection was lost.');
    });
    deps.nowUnix += 20;
    expect((await memberOf(deps, memberId)).overdueSinceUnix).not.toBeNull();
    expect(await refusalAtGate(deps, memberId)).toBeUndefined();
    deps.nowUnix += 61;
    await sweep(deps);
    expect((await memberOf(deps, memberId)).overdueSinceUnix).toBeNull();
    expect(await refusalAtGate(deps, memberId)).toBeUndefined();
  });

  it('refuses the member again when nothing was paid', async () => {
    const { deps, planId, memberId } = await givenOverdue();
    await payUnanswered(deps, planId, () => Promise.reject(new Error('The request was lost.')));
    deps.nowUnix += 20;
    expect(await refusalAtGate(deps, memberId)).toBeUndefined();
    deps.nowUnix += 61;
    await sweep(deps);
    expect(await refusalAtGate(deps, memberId)).toBe('unpaid');
  });

  it('refuses a member who has only opened the page of a payment', async () => {
    const { deps, planId, memberId } = await givenOverdue();
    const onPage = { planId, number: 2, paymentMethod: null, returnUrl: null };
    expect(await payInstalment(deps, onPage)).toMatchObject({ outcome: 'prepared' });
    deps.nowUnix += 20;
    expect(await refusalAtGate(deps, memberId)).toBe('unpaid');
  });

  it('admits a member whose first charge of an instalment has no outcome for weeks: nobody has declined it', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenInstalmentType(deps, { gameDayAccess: 1, graceDays: 0 });
    const { planId, memberId } = await buyInInstalments(deps, type);
    const silent = async () => ({
      ...(await deps.payments.current()),
      confirm: () => Promise.reject(new Error('The provider is silent.')),
      retrieve: () => Promise.reject(new Error('The provider is silent.')),
    });
    deps.nowUnix = (await planOf(deps, planId)).instalments[1]?.dueUnix ?? 0;
    const payments = { ...deps.payments, current: silent, byName: silent };
    for (const days of [0, 1, 20]) {
      deps.nowUnix += days * 86_400;
      await sweep({ ...deps, payments });
      expect(await refusalAtGate(deps, memberId)).toBeUndefined();
    }
  });
});
