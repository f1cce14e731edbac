import { beforeAll, describe, expect, it } from 'vitest';
import { startChargeStops } from '../../../shared/charges/charge-stops.ts';
import { renewWhenDue } from '../../../shared/charges/renew-when-due.ts';
import { setAutoRenew } from '../../../shared/charges/set-auto-renew.ts';
import { setPaymentMethod } from '../../../shared/charges/set-payment-method.ts';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { changeMember, rowPut } from '../../../shared/data/members/change.ts';
import { readRenewal } from '../../../shared/data/renewals/renewals.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps, noonUnix, type TestCheckoutDeps } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { Files, importInto } from '../../support/import-files.ts';
import { buyMembership, givenType, person } from '../../support/memberships.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweepWhenDue } from '../../support/plans.ts';
import {
  announceTwice,
  approve,
  daySeconds,
  givenRenewing,
  keptMinor,
  memberOf,
  renewAt,
  renewalOf,
  saveCard,
  switchOn,
} from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const files = new Files();
const onPage = { paymentMethod: null, returnUrl: null };
const consentText = 'Renew my membership every year.';

const givenBen = ({ orgId }: TestCheckoutDeps) =>
  givenCustomer(table, orgId, {
    orgCustomerId: 'ben',
    firstName: 'Ben',
    lastName: 'New',
    emailAddress: 'b@example.com',
  });

async function moveTo({ orgId, nowUnix }: TestCheckoutDeps, memberId: number, userId: number): Promise<void> {
  await changeMember(table, { orgId, memberId, nowUnix, change: () => ({ userId }) });
}

/** As an earlier release moved a membership: the record of its auto-renewal stayed as it was. */
async function moveRowAlone(deps: TestCheckoutDeps, memberId: number, userId: number): Promise<void> {
  const before = await memberOf(deps, memberId);
  await transact(table, [
    rowPut(table, deps.orgId, { before, after: { ...before, userId, version: before.version + 1 } }),
  ]);
}

describe('a membership that gets another customer', () => {
  it('has no saved card: set-payment-method of the new owner begins with nothing, and with a key of its own', async () => {
    const keys: string[] = [];
    const deps = newCheckoutDeps(table, {
      around: (provider) => ({
        ...provider,
        setUp: (wanted, signal) => {
          keys.push(wanted.key);
          return provider.setUp(wanted, signal);
        },
      }),
    });
    const { memberships } = await buyMembership(deps, await givenType(table, deps.orgId));
    const memberId = memberships[0]?.memberId ?? 0;
    const first = await setPaymentMethod(deps, { memberId, ...onPage });
    if (first.outcome !== 'waiting') throw new Error(first.outcome);
    await approve(deps, first.setup.client_secret);
    expect(await setPaymentMethod(deps, { memberId, ...onPage })).toMatchObject({ outcome: 'saved' });
    const { userId } = await givenBen(deps);
    await moveTo(deps, memberId, userId);
    expect(await setPaymentMethod(deps, { memberId, ...onPage })).toMatchObject({ outcome: 'waiting' });
    expect(await renewalOf(deps, memberId)).toMatchObject({ userId, saved: null, setups: 2 });
    expect(new Set(keys).size).toBe(2);
  });

  it('by an import loses card, consent and auto-renewal, and member.updated says so; nothing is charged', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    await givenOrganisation(table, orgId);
    const ada = await givenCustomer(table, orgId, { orgCustomerId: 'ada', emailAddress: 'a@example.com' });
    const ben = await givenBen(deps);
    await givenType(table, orgId);
    const importMember = (row: object, nowUnix = noonUnix) =>
      importInto(table, {
        orgId,
        dataset: 'members',
        nowUnix,
        file: files.write('m.ndjson', JSON.stringify(row)),
      });
    const expires = noonUnix + 200 * daySeconds;
    await importMember({
      member_number: '7001',
      org_customer_id: 'ada',
      first_name: 'Ada',
      last_name: 'Old',
      membership_type_code: 'full',
      membership_member_status_id: 1,
      expires,
    });
    const { memberId } = (await memberByNumber(table, orgId, '7001')) ?? { memberId: 0 };
    await switchOn(deps, memberId, 'pm_card_visa');
    const { renewalId } = await renewalOf(deps, memberId);
    const updates = async () =>
      (await eventsOf(deps)).filter(({ type }: { type: string }) => type === 'member.updated').map(({ data }) => data);
    const before = (await updates()).length;
    expect((await memberOf(deps, memberId)).userId).toBe(ada.userId);
    const toBen = { member_number: '7001', org_customer_id: 'ben', first_name: 'Ben', last_name: 'New' };
    deps.nowUnix = noonUnix + 60;
    await importMember(toBen, deps.nowUnix);
    expect(await memberOf(deps, memberId)).toMatchObject({ userId: ben.userId, autoRenew: false, renewalId: null });
    const left = { saved: null, setup: null, consent: null, isOn: false, round: null, memberIds: [] };
    expect(await readRenewal(table, orgId, renewalId)).toMatchObject(left);
    const sent = (await updates()).slice(before);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ member: { membership_member_id: memberId, auto_renew: 0 } });
    await renewAt(deps, expires - 30 * daySeconds);
    await renewAt(deps, expires - 60);
    expect(await keptMinor(deps)).toBe(0);
    expect((await memberOf(deps, memberId)).expiresUnix).toBe(expires);
  });

  it('that an earlier release moved is not charged to the former owner: the worker switches it off and says so', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, expiresUnix } = await givenRenewing(deps);
    const due = await announceTwice(deps, memberId);
    const kept = await keptMinor(deps);
    const { userId } = await givenBen(deps);
    await moveRowAlone(deps, memberId, userId);
    expect(await findingsOf(table, deps.orgId)).toMatchObject([{ check: 'renewals' }]);
    await renewAt(deps, due + 60);
    expect(await keptMinor(deps)).toBe(kept);
    expect(await memberOf(deps, memberId)).toMatchObject({ expiresUnix, autoRenew: false, renewalId: null, userId });
    const last = (await eventsOf(deps)).at(-1);
    expect(last).toMatchObject({ type: 'member.updated', data: { member: { auto_renew: 0 } } });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('between the look of the worker and the charge is not charged: the transaction that begins it compares', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId } = await givenRenewing(deps);
    const due = await announceTwice(deps, memberId);
    const { renewalId } = await renewalOf(deps, memberId);
    const { userId } = await givenBen(deps);
    deps.nowUnix = due + 60;
    await renewWhenDue(
      { ...deps, stops: startChargeStops(), pace: () => moveRowAlone(deps, memberId, userId) },
      renewalId,
    );
    expect(await readRenewal(table, deps.orgId, renewalId)).toMatchObject({ attempt: null, isOn: false, saved: null });
    expect((await memberOf(deps, memberId)).autoRenew).toBe(false);
  });

  it('while the renewal is being charged gets no order of the former owner, and the payment is returned', async () => {
    let charging: (() => Promise<void>) | undefined;
    const deps = newCheckoutDeps(table, {
      around: (provider) => ({
        ...provider,
        confirm: async (charge, signal) => {
          await charging?.();
          return provider.confirm(charge, signal);
        },
      }),
    });
    const { memberId, expiresUnix, order } = await givenRenewing(deps);
    const due = await announceTwice(deps, memberId);
    const kept = await keptMinor(deps);
    const { userId } = await givenBen(deps);
    charging = () => moveTo(deps, memberId, userId);
    await renewAt(deps, due + 60);
    charging = undefined;
    expect(await memberOf(deps, memberId)).toMatchObject({ expiresUnix, orderId: String(order.orderId), userId });
    expect(await keptMinor(deps)).toBe(kept * 2);
    await sweepBaskets(deps);
    expect(await keptMinor(deps)).toBe(kept);
  });

  it('of a family ends the auto-renewal of all, and each owner has a record of their own', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenType(table, deps.orgId, { persons: 3 });
    const holders = [person('Ada'), person('Anne'), person('Alan')];
    const { memberships } = await buyMembership(deps, type, holders);
    const ids = memberships.map(({ memberId }) => memberId).sort((one, other) => one - other);
    const [moved = 0, second = 0, third = 0] = ids;
    await switchOn(deps, second, 'pm_card_visa');
    const { userId } = await givenBen(deps);
    await moveTo(deps, moved, userId);
    for (const memberId of ids) expect((await memberOf(deps, memberId)).autoRenew).toBe(false);
    await saveCard(deps, moved, 'pm_card_visa');
    await saveCard(deps, third, 'pm_card_visa');
    expect((await renewalOf(deps, moved)).memberIds).toEqual([moved]);
    expect((await renewalOf(deps, second)).memberIds).toEqual([second, third]);
    expect((await renewalOf(deps, moved)).userId).toBe(userId);
    expect((await renewalOf(deps, third)).userId).not.toBe(userId);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of a family is not charged after the other owner has cancelled it for its end', async () => {
    const deps = newCheckoutDeps(table);
    await givenOrganisation(table, deps.orgId);
    const type = await givenType(table, deps.orgId, { persons: 2 });
    const { memberships } = await buyMembership(deps, type, [person('Ada'), person('Anne')]);
    const [first = 0, second = 0] = memberships.map(({ memberId }) => memberId);
    await moveTo(deps, first, (await givenBen(deps)).userId);
    await switchOn(deps, first, 'pm_card_visa');
    const kept = await keptMinor(deps);
    expect(await cancelMembership(deps, { memberId: second, when: 'end', refund: 'none' }, () => [])).toMatchObject({
      outcome: 'cancelled',
    });
    expect(await memberOf(deps, first)).toMatchObject({ autoRenew: false, cancelledUnix: deps.nowUnix });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    const { expiresUnix } = await memberOf(deps, first);
    for (const days of [30, 7, 0]) await renewAt(deps, (expiresUnix ?? 0) - days * daySeconds - 1);
    expect(await keptMinor(deps)).toBe(kept);
  });

  it('leaves open shares to the person who agreed to them, with the card of that person', async () => {
    const deps = newCheckoutDeps(table);
    const { planId, memberId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
    const before = await planOf(deps, planId);
    const { userId } = await givenBen(deps);
    await moveTo(deps, memberId, userId);
    // The card of the plan is not the new owner's.
    expect(await setAutoRenew(deps, { memberId, consentText })).toEqual({ outcome: 'method_missing' });
    await saveCard(deps, memberId, 'pm_card_mastercard');
    const { customer, paymentMethod } = await planOf(deps, planId);
    expect({ customer, paymentMethod }).toEqual({ customer: before.customer, paymentMethod: before.paymentMethod });
    expect((await renewalOf(deps, memberId)).saved?.customer).not.toBe(customer);
    expect((await planOf(deps, planId)).userId).toBe(order.userId);
    expect(statusesOf(await sweepWhenDue(deps, planId, 2))[1]).toBe('paid');
  });
});
