import { beforeAll, describe, expect, it } from 'vitest';
import { recordPaidElsewhere } from '../../../shared/charges/pay-instalment.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { updateOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { readOverduePlans } from '../../../shared/data/plans/overdue.ts';
import { readConsent, savePlan } from '../../../shared/data/plans/plans.ts';
import { readSavedCustomer } from '../../../shared/data/plans/saved-customers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { paymentOptions } from '../../../shared/domain/plans/payment-choice.ts';
import { overduePlanResource } from '../../../shared/mappers/payment-plan.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf, checkOutWith, newCheckoutDeps, noonUnix, shortTimeout } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { expectEntries } from '../../support/journal.ts';
import { givenMembershipBasket, person } from '../../support/memberships.ts';
import {
  buyInInstalments,
  givenInstalmentType,
  planOf,
  sixMonthly,
  statusesOf,
  sweep,
  sweepWhenDue,
} from '../../support/plans.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const typesOf = async (deps: Parameters<typeof eventsOf>[0]): Promise<string[]> =>
  (await eventsOf(deps)).map(({ type }: { type: string }) => type);

describe('a membership that is bought in instalments', () => {
  it('charges the first share, saves the method, and plans the others', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const type = await givenInstalmentType(deps);
    const { order, planId, memberId } = await buyInInstalments(deps, type);
    expect(order.totalMinor).toBe(24_050);
    expect(await chargesOf(deps)).toMatchObject([{ amountMinor: 4_010, status: 'paid' }]);
    const plan = await planOf(deps, planId);
    expect(plan).toMatchObject({ orderId: order.orderId, memberIds: [memberId], paymentMethod: 'pm_card_visa' });
    expect(plan.instalments.map(({ amountMinor }) => amountMinor)).toEqual([4_010, 4_008, 4_008, 4_008, 4_008, 4_008]);
    expect(statusesOf(plan)).toEqual(['paid', ...Array.from({ length: 5 }, () => 'planned')]);
    expect(await readMember(table, orgId, memberId)).toMatchObject({ statusId: 2, instalments: true, planId });
    const saved = await readSavedCustomer(table, orgId, { userId: order.userId ?? 0, account: null });
    expect(saved?.customer).toBe(plan.customer);
    expect(await readConsent(table, orgId, order.orderId)).toEqual({
      text: 'Charge my card every month.',
      givenUnix: noonUnix,
      requestId: 'req-1',
    });
    const [sale] = await entriesOfOrder(table, orgId, order.orderId);
    expect(sale?.money).toEqual({ card: 4_010, receivable: 20_040 });
    await expectEntries(deps, order.orderId, ['sale']);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('by a known customer uses the same customer at the provider', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenInstalmentType(deps);
    const first = await buyInInstalments(deps, type);
    const second = await buyInInstalments(deps, type);
    expect((await planOf(deps, second.planId)).customer).toBe((await planOf(deps, first.planId)).customer);
  });

  it('for a family has one plan for all of them', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenInstalmentType(deps, { persons: 2 });
    const { memberships, planId } = await buyInInstalments(deps, type, { holders: [person('Ada'), person('Anne')] });
    const members = memberships.map(({ memberId }) => memberId);
    expect(await planOf(deps, planId)).toMatchObject({ memberIds: members });
    let plan = await planOf(deps, planId);
    for (const { number } of plan.instalments.slice(1)) plan = await sweepWhenDue(deps, planId, number);
    for (const memberId of members) {
      expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 1 });
    }
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is refused without consent, and with an option that is not offered; nothing is charged', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenInstalmentType(deps, { paymentOptionCodes: ['once', 'six'] });
    const basketId = await givenMembershipBasket(deps, type);
    const choose = (payment: object) =>
      checkOutWith(deps, basketId, { payment: { ...sixMonthly.payment, ...payment } });
    expect(await choose({ hasConsent: false })).toMatchObject({ refusal: { reason: 'consent_missing' } });
    expect(await choose({ consentText: null })).toMatchObject({ refusal: { reason: 'consent_missing' } });
    expect(await choose({ optionId: 'ten' })).toMatchObject({ refusal: { reason: 'payment_option_not_offered' } });
    expect(await chargesOf(deps)).toEqual([]);
    expect(await choose({ optionId: 'once', hasConsent: false })).toMatchObject({ outcome: 'confirmed' });
    expect(await chargesOf(deps)).toMatchObject([{ amountMinor: 24_050 }]);
  });

  it('shows its payment options in the basket: those that every membership in it offers', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenInstalmentType(deps);
    const basket = await readBasket(table, deps.orgId, await givenMembershipBasket(deps, type));
    if (basket === undefined) throw new Error('The basket is missing.');
    const [once, six] = paymentOptions(basket, noonUnix);
    expect(once).toMatchObject({ optionId: 'once', dueNowMinor: 24_050, later: [] });
    expect(six).toMatchObject({ optionId: 'six', dueNowMinor: 4_010 });
    expect(six?.later.map(({ amountMinor }) => amountMinor)).toEqual(Array.from({ length: 5 }, () => 4_008));
    const [line] = basket.lines;
    if (line === undefined || !line.payments) throw new Error('The line has no payments.');
    const other = { ...line, lineId: 2, payments: { ...line.payments, options: line.payments.options.slice(0, 1) } };
    expect(paymentOptions({ ...basket, lines: [line, other] }, noonUnix).map(({ optionId }) => optionId)).toEqual([
      'once',
    ]);
  });
});

describe('the worker that charges instalments', () => {
  it('charges each when it is due, once, and the last one makes the member paid', async () => {
    const deps = newCheckoutDeps(table);
    const { order, planId, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await sweep(deps);
    expect(await chargesOf(deps)).toHaveLength(1);
    for (const number of [2, 3, 4, 5]) {
      const plan = await sweepWhenDue(deps, planId, number);
      expect(plan.instalments[number - 1]).toMatchObject({ status: 'paid', attempts: 1, paidUnix: deps.nowUnix });
      await sweep(deps);
    }
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 2 });
    await sweepWhenDue(deps, planId, 6);
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 1, overdueSinceUnix: null });
    const charges = await chargesOf(deps);
    expect(charges.map(({ amountMinor }) => amountMinor).sort()).toEqual([4_008, 4_008, 4_008, 4_008, 4_008, 4_010]);
    const paid = Array.from({ length: 5 }, () => 'instalment');
    await expectEntries(deps, order.orderId, ['sale', ...paid]);
    const types = await typesOf(deps);
    expect(types.filter((type) => type === 'instalment.paid')).toHaveLength(5);
    expect(types.filter((type) => type === 'member.updated')).toHaveLength(1);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    deps.nowUnix += 400 * 86_400;
    await sweep(deps);
    expect(await chargesOf(deps)).toHaveLength(6);
  });

  it('tries a declined one again 3, 7 and 12 days later, then waits for the member, who is overdue since it was due', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenInstalmentType(deps);
    const { planId, memberId } = await buyInInstalments(deps, type, { paymentMethod: 'pm_card_chargeCustomerFail' });
    const dueUnix = (await planOf(deps, planId)).instalments[1]?.dueUnix;
    for (const days of [0, 3, 7]) {
      const plan = await sweepWhenDue(deps, planId, 2, days);
      expect(plan.instalments[1]).toMatchObject({ status: 'failed', failure: 'card_declined' });
      await sweep(deps);
    }
    expect((await sweepWhenDue(deps, planId, 2, 12)).instalments[1]).toMatchObject({
      status: 'action_required',
      attempts: 4,
    });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 2, overdueSinceUnix: dueUnix });
    const listing = { orgId: deps.orgId, after: undefined, limit: 1 };
    const { plans, next } = await readOverduePlans(table, listing);
    expect([plans.map(overduePlanResource), next]).toMatchObject([
      [{ plan_id: planId, overdue_since: dueUnix, overdue: 40.08, outstanding: 200.4, action_required: true }],
      undefined,
    ]);
    expect(plans[0]?.members).toMatchObject([{ memberId }]);
    const types = (await typesOf(deps)).filter((name) => name.startsWith('instalment'));
    expect(types).toEqual([...Array.from({ length: 3 }, () => 'instalment.failed'), 'instalment.action_required']);
    expect(await chargesOf(deps)).toHaveLength(5);
    const elsewhere = await recordPaidElsewhere(deps, { planId, number: null });
    expect(elsewhere).toMatchObject({ outcome: 'paid' });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ overdueSinceUnix: null });
    expect((await readOverduePlans(table, listing)).plans).toEqual([]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it.each(['pm_card_threeDSecure2Required', 'pm_card_authenticationRequired'])(
    'does not repeat what needs an authentication: %s',
    async (paymentMethod) => {
      const deps = newCheckoutDeps(table);
      const { planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
      const plan = await planOf(deps, planId);
      await changeMethod(deps, planId, paymentMethod);
      const after = await sweepWhenDue(deps, planId, 2);
      expect(after.instalments[1]).toMatchObject({ status: 'action_required', failure: 'authentication_required' });
      expect(plan.instalments[1]?.dueUnix).toBe(deps.nowUnix);
    },
  );

  it('does not charge without a saved method, for cancelled members, and on another account', async () => {
    const deps = newCheckoutDeps(table);
    const { planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await changeMethod(deps, planId, null);
    const after = await sweepWhenDue(deps, planId, 2);
    expect(after.instalments[1]).toMatchObject({ status: 'action_required', failure: 'method_missing', attempts: 0 });
    const provider = await deps.payments.current();
    const other = { ...provider, needsAccount: true };
    await updateOrganisation(table, deps.orgId, { paymentAccountId: 'acct_other' });
    const moved = { ...deps, nowUnix: after.instalments[2]?.dueUnix ?? 0 };
    moved.clock = { nowMs: () => moved.nowUnix * 1000 };
    await sweep({ ...moved, payments: { ...deps.payments, current: async () => other } });
    expect((await planOf(deps, planId)).instalments[2]).toMatchObject({ failure: 'account_changed' });
    expect(await chargesOf(deps)).toHaveLength(1);
  });

  it('keeps a charge whose outcome it does not know, and settles it', async () => {
    const deps = newCheckoutDeps(table, shortTimeout);
    const { planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await changeMethod(deps, planId, 'pm_card_late');
    const { dueUnix = 0 } = (await planOf(deps, planId)).instalments[1] ?? {};
    deps.nowUnix = dueUnix;
    await sweep(deps);
    const unknown = await planOf(deps, planId);
    expect(unknown.charge).toMatchObject({ number: 2, attempt: 1 });
    await sweep(deps);
    expect((await planOf(deps, planId)).version).toBe(unknown.version);
    deps.nowUnix += 120;
    await sweep(deps);
    expect((await planOf(deps, planId)).instalments[1]).toMatchObject({ status: 'paid', attempts: 1 });
    await changeMethod(deps, planId, 'pm_card_timeout');
    deps.nowUnix = (await planOf(deps, planId)).instalments[2]?.dueUnix ?? 0;
    await sweep(deps);
    deps.nowUnix += 120;
    await changeMethod(deps, planId, 'pm_card_visa');
    await sweep(deps);
    expect((await planOf(deps, planId)).instalments[2]).toMatchObject({ status: 'paid', attempts: 2 });
    const paid = (await chargesOf(deps)).filter(({ status }) => status === 'paid');
    expect(paid).toHaveLength(3);
  });
});

async function changeMethod(deps: ReturnType<typeof newCheckoutDeps>, planId: number, paymentMethod: string | null) {
  const plan = await planOf(deps, planId);
  await savePlan(deps.table, deps.orgId, plan, { ...plan, paymentMethod });
}
