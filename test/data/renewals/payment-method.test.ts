import { beforeAll, describe, expect, it } from 'vitest';
import { setPaymentMethod } from '../../../shared/charges/set-payment-method.ts';
import { readSavedCustomer } from '../../../shared/data/plans/saved-customers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { decideSandboxPayment, readSandboxPayment } from '../../../shared/payments/sandbox-token.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { crashingDeps } from '../../support/faults/crashing-deps.ts';
import { buyMembership, givenType, person } from '../../support/memberships.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweep, sweepWhenDue } from '../../support/plans.ts';
import { memberOf, renewalOf } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const named = (paymentMethod: string) => ({ paymentMethod, returnUrl: null });
const onPage = { paymentMethod: null, returnUrl: null };

/** The member saves the card on the page of the sandbox. */
async function approve(deps: TestCheckoutDeps, clientSecret: string | null | undefined): Promise<void> {
  const charge = await readSandboxPayment(deps.table, clientSecret ?? '');
  if (charge === undefined) throw new Error('The setup is missing.');
  await decideSandboxPayment(deps.table, charge, 'approve');
}

async function givenMember(deps: TestCheckoutDeps) {
  const { memberships, order } = await buyMembership(deps, await givenType(deps.table, deps.orgId));
  return { memberId: memberships[0]?.memberId ?? 0, userId: order.userId ?? 0 };
}

describe('set-payment-method', () => {
  it('saves a named method for a member without a plan, and charges nothing', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, userId } = await givenMember(deps);
    const before = await chargesOf(deps);
    expect(await setPaymentMethod(deps, { memberId, ...named('pm_card_visa') })).toMatchObject({ outcome: 'saved' });
    const renewal = await renewalOf(deps, memberId);
    expect(renewal).toMatchObject({ memberIds: [memberId], userId, isOn: false, setup: null });
    expect(renewal.saved).toMatchObject({ provider: 'sandbox', account: null, paymentMethod: 'pm_card_visa' });
    expect((await readSavedCustomer(table, deps.orgId, { userId, account: null }))?.customer).toBe(
      renewal.saved?.customer,
    );
    const paid = (charges: Awaited<ReturnType<typeof chargesOf>>) =>
      charges.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    expect(paid(await chargesOf(deps))).toBe(paid(before));
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is repeated without another setup at the provider', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId } = await givenMember(deps);
    await setPaymentMethod(deps, { memberId, ...named('pm_card_visa') });
    expect(await setPaymentMethod(deps, { memberId, ...named('pm_card_visa') })).toMatchObject({ outcome: 'saved' });
    expect((await renewalOf(deps, memberId)).setups).toBe(1);
  });

  it('on a page shows one setup until the member has confirmed it', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId } = await givenMember(deps);
    const first = await setPaymentMethod(deps, { memberId, ...onPage });
    if (first.outcome !== 'waiting') throw new Error(first.outcome);
    expect(first.setup).toMatchObject({ provider: 'sandbox', status: 'requires_action' });
    expect(await setPaymentMethod(deps, { memberId, ...onPage })).toMatchObject({
      outcome: 'waiting',
      setup: { client_secret: first.setup.client_secret },
    });
    expect((await renewalOf(deps, memberId)).saved).toBeNull();
    await approve(deps, first.setup.client_secret);
    expect(await setPaymentMethod(deps, { memberId, ...onPage })).toMatchObject({ outcome: 'saved' });
    expect((await renewalOf(deps, memberId)).saved?.paymentMethod).toBe('pm_card_visa');
  });

  it('with a method that must be authenticated waits for the member', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId } = await givenMember(deps);
    const command = { memberId, ...named('pm_card_authenticationRequired') };
    const first = await setPaymentMethod(deps, command);
    if (first.outcome !== 'waiting') throw new Error(first.outcome);
    await approve(deps, first.setup.client_secret);
    expect(await setPaymentMethod(deps, command)).toMatchObject({ outcome: 'saved' });
    expect((await renewalOf(deps, memberId)).saved?.paymentMethod).toBe('pm_card_authenticationRequired');
  });

  it('refuses what cannot be saved, and keeps the method before', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId } = await givenMember(deps);
    await setPaymentMethod(deps, { memberId, ...named('pm_card_visa') });
    expect(await setPaymentMethod(deps, { memberId, ...named('pm_card_declined') })).toMatchObject({
      outcome: 'declined',
      code: 'generic_decline',
    });
    expect(await setPaymentMethod(deps, { memberId, ...named('pm_nobody') })).toEqual({
      outcome: 'method_unknown',
      isGone: true,
    });
    expect(await setPaymentMethod(deps, { memberId: 512, ...named('pm_card_visa') })).toEqual({ outcome: 'missing' });
    expect((await renewalOf(deps, memberId)).saved?.paymentMethod).toBe('pm_card_visa');
  });

  it('of one of a family is that of all', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenType(table, deps.orgId, { persons: 2 });
    const { memberships } = await buyMembership(deps, type, [person('Ada'), person('Anne')]);
    const [first = 0, second = 0] = memberships.map(({ memberId }) => memberId);
    await setPaymentMethod(deps, { memberId: second, ...named('pm_card_visa') });
    const renewal = await renewalOf(deps, first);
    expect(renewal).toEqual(await renewalOf(deps, second));
    expect(renewal.memberIds).toEqual([first, second].sort((one, other) => one - other));
  });

  it('lets the worker charge what was finally declined to the new card, and the later instalments', async () => {
    const deps = newCheckoutDeps(table);
    const { planId, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps), {
      paymentMethod: 'pm_card_chargeCustomerFail',
    });
    await sweepWhenDue(deps, planId, 2, 13);
    expect(statusesOf(await planOf(deps, planId)).slice(0, 3)).toEqual(['paid', 'action_required', 'planned']);
    expect((await memberOf(deps, memberId)).overdueSinceUnix).not.toBeNull();
    await setPaymentMethod(deps, { memberId, ...named('pm_card_visa') });
    // Nothing is charged by the request itself.
    expect(statusesOf(await planOf(deps, planId))[1]).toBe('failed');
    await sweep(deps);
    expect(statusesOf(await planOf(deps, planId))[1]).toBe('paid');
    expect((await memberOf(deps, memberId)).overdueSinceUnix).toBeNull();
    const last = await sweepWhenDue(deps, planId, 6);
    expect(statusesOf(last)).toEqual(Array.from({ length: 6 }, () => 'paid'));
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});

describe.each(crashMoments)('set-payment-method of a process that dies %s a call', (when) => {
  it('has saved the method, or saves it when it is repeated', async () => {
    for (const at of crashPoints()) {
      const deps = newCheckoutDeps(table);
      const { planId, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps), {
        paymentMethod: 'pm_card_chargeCustomerFail',
      });
      const { crashPoint, crashing } = await crashingDeps(deps, { at, when });
      const command = { memberId, ...named('pm_card_visa') };
      const ended = await crashPoint.resultOf(setPaymentMethod(crashing, command));
      expect(await setPaymentMethod(deps, command), `${when} ${at}`).toMatchObject({ outcome: 'saved' });
      expect((await planOf(deps, planId)).paymentMethod, `${when} ${at}`).toBe('pm_card_visa');
      expect(await findingsOf(table, deps.orgId), `${when} ${at}`).toEqual([]);
      if (ended === undefined) continue;
      expect(at).toBeGreaterThan(8);
      return;
    }
  });
});
