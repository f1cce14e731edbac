import { beforeAll, describe, expect, it } from 'vitest';
import { readRenewalFacts } from '../../../shared/charges/renewal-facts.ts';
import { setAutoRenew } from '../../../shared/charges/set-auto-renew.ts';
import { setPaymentMethod } from '../../../shared/charges/set-payment-method.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { renewalResource } from '../../../shared/mappers/membership-renewal.ts';
import { givenAdmin } from '../../support/admin.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkoutDepsOf, newCheckoutDeps, noonUnix } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { buyMembership, givenType, person } from '../../support/memberships.ts';
import { buyInInstalments, givenInstalmentType } from '../../support/plans.ts';
import { memberOf, renewalOf } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const visa = { paymentMethod: 'pm_card_visa', returnUrl: null };
const consentText = 'Renew my membership every year.';

describe('set-auto-renew', () => {
  it('acts on all people of a purchase, and keeps the consent with text, time and request', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenType(table, deps.orgId, { persons: 2 });
    const { memberships } = await buyMembership(deps, type, [person('Ada'), person('Anne')]);
    const [first = 0, second = 0] = memberships.map(({ memberId }) => memberId);
    await setPaymentMethod(deps, { memberId: first, ...visa });
    expect(await setAutoRenew(deps, { memberId: second, consentText })).toMatchObject({ outcome: 'set' });
    for (const memberId of [first, second]) expect((await memberOf(deps, memberId)).autoRenew).toBe(true);
    expect(await renewalOf(deps, first)).toMatchObject({
      isOn: true,
      optionId: null,
      consent: { text: consentText, givenUnix: noonUnix, requestId: 'req-1' },
    });
    const updates = (await eventsOf(deps)).filter(({ type: name }: { type: string }) => name === 'member.updated');
    expect(updates).toHaveLength(2);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await setAutoRenew(deps, { memberId: first, consentText: null });
    for (const memberId of [first, second]) expect((await memberOf(deps, memberId)).autoRenew).toBe(false);
    // The consent is a document: it stays when it is over.
    expect(await renewalOf(deps, first)).toMatchObject({ isOn: false, consent: { text: consentText } });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('shows what the next term would cost now, and when', async () => {
    const deps = newCheckoutDeps(table);
    const { memberships } = await buyMembership(deps, await givenType(table, deps.orgId));
    const memberId = memberships[0]?.memberId ?? 0;
    await setPaymentMethod(deps, { memberId, ...visa });
    await setAutoRenew(deps, { memberId, consentText });
    const [renewal, member] = [await renewalOf(deps, memberId), await memberOf(deps, memberId)];
    const facts = await readRenewalFacts(deps, renewal, [member]);
    if (facts === undefined) throw new Error('The membership does not end.');
    const shown = renewalResource(renewal, facts);
    expect(shown).toMatchObject({ status: 'planned', amount: 240.5, price: 240.5, currency: 'AUD', attempts: 0 });
    expect(shown.expires).toBe(member.expiresUnix);
    const hoursBefore = (shown.expires - (shown.due ?? 0)) / 3_600;
    expect(hoursBefore).toBeGreaterThanOrEqual(6);
    expect(hoursBefore).toBeLessThanOrEqual(18);
  });

  it('needs a saved method, a term that ends, and a member who is not cancelled', async () => {
    const deps = newCheckoutDeps(table);
    const { memberships } = await buyMembership(deps, await givenType(table, deps.orgId));
    const memberId = memberships[0]?.memberId ?? 0;
    expect(await setAutoRenew(deps, { memberId, consentText })).toEqual({ outcome: 'method_missing' });
    await setPaymentMethod(deps, { memberId, ...visa });
    deps.nowUnix = ((await memberOf(deps, memberId)).expiresUnix ?? 0) + 1;
    expect(await setAutoRenew(deps, { memberId, consentText })).toEqual({ outcome: 'expired' });
    expect((await memberOf(deps, memberId)).autoRenew).toBe(false);
    const endless = await buyMembership(deps, await givenType(table, deps.orgId, { termMonths: null }, 'life'));
    const forLife = endless.memberships[0]?.memberId ?? 0;
    await setPaymentMethod(deps, { memberId: forLife, ...visa });
    expect(await setAutoRenew(deps, { memberId: forLife, consentText })).toEqual({ outcome: 'endless' });
  });

  it('of a membership in instalments renews in the same way, with the method of the plan', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    expect(await setAutoRenew(deps, { memberId, consentText })).toMatchObject({ outcome: 'set' });
    expect(await renewalOf(deps, memberId)).toMatchObject({ isOn: true, optionId: 'six', saved: null });
  });
});

describe('customer export and erase', async () => {
  const { table: own, admin } = await givenAdmin(() => noonUnix * 1000);
  const orgId = 'org_eraserenewal';

  it('show and remove the saved method and the consent, and the membership does not renew itself', async () => {
    const deps = checkoutDepsOf(own, orgId);
    const { memberId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await setPaymentMethod(deps, { memberId, ...visa });
    await setAutoRenew(deps, { memberId, consentText });
    const user = String(order.userId);
    const exported = JSON.parse((await admin('customer', 'export', orgId, user, '--local')).stdout);
    const consent = { text: consentText, given: noonUnix };
    expect(exported).toMatchObject({ renewals: [{ auto_renew: true, payment_method: 'pm_card_visa', consent }] });
    await admin('customer', 'erase', orgId, user, '--yes', '--local');
    expect(await renewalOf(deps, memberId)).toMatchObject({ isOn: false, saved: null, consent: null });
    expect((await memberOf(deps, memberId)).autoRenew).toBe(false);
    expect(await findingsOf(own, orgId)).toEqual([]);
  });
});
