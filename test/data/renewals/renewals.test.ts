import { beforeAll, describe, expect, it } from 'vitest';
import { setAutoRenew } from '../../../shared/charges/set-auto-renew.ts';
import { setPaymentMethod } from '../../../shared/charges/set-payment-method.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { givenConfig } from '../../../tools/fixtures/membership.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { buyMembership, givenType, person, renewMember } from '../../support/memberships.ts';
import {
  announcements,
  daySeconds,
  givenRenewing,
  keptMinor,
  memberOf,
  renewAt,
  renewalOf,
  switchOn,
} from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const price = 24_050;

describe('a membership that renews itself', () => {
  it('is announced 30 and 7 days before, and charged on the last day of its term, once', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, expiresUnix, order } = await givenRenewing(deps);
    const before = await memberOf(deps, memberId);
    await renewAt(deps, expiresUnix - 32 * daySeconds);
    expect(await announcements(deps)).toEqual([]);
    await renewAt(deps, expiresUnix - 30 * daySeconds);
    const [first] = await announcements(deps);
    expect(first).toMatchObject({
      status: 'announced',
      amount: 240.5,
      price: 240.5,
      currency: 'AUD',
      expires: expiresUnix,
    });
    const dueUnix = first?.due ?? 0;
    expect(dueUnix).toBeGreaterThanOrEqual(expiresUnix - 18 * 3_600);
    expect(dueUnix).toBeLessThan(expiresUnix);
    await renewAt(deps, dueUnix - 8 * daySeconds);
    expect(await announcements(deps)).toHaveLength(1);
    await renewAt(deps, dueUnix - 7 * daySeconds);
    expect(await announcements(deps)).toHaveLength(2);
    await renewAt(deps, dueUnix - 1);
    expect(await keptMinor(deps)).toBe(price);
    await renewAt(deps, dueUnix);
    expect(await keptMinor(deps)).toBe(2 * price);
    const after = await memberOf(deps, memberId);
    expect(after).toMatchObject({ memberNumber: before.memberNumber, barcode: before.barcode, autoRenew: true });
    expect(after.expiresUnix ?? 0).toBeGreaterThan(expiresUnix + 360 * daySeconds);
    const terms = await termsOfMember(table, deps.orgId, memberId);
    expect(terms.map(({ fromUnix }) => fromUnix)).toEqual([order.placedUnix, expiresUnix]);
    expect(await renewalOf(deps, memberId)).toMatchObject({ round: null, attempt: null, isOn: true });
    await renewAt(deps, dueUnix + 3_600);
    expect(await keptMinor(deps)).toBe(2 * price);
    // The next year begins with its own announcement.
    await renewAt(deps, (after.expiresUnix ?? 0) - 29 * daySeconds);
    expect(await announcements(deps)).toHaveLength(3);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('that is dearer than announced is announced again, and charged seven days later', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, expiresUnix, type } = await givenRenewing(deps);
    await renewAt(deps, expiresUnix - 30 * daySeconds);
    await renewAt(deps, expiresUnix - 7 * daySeconds);
    const dueUnix = (await renewalOf(deps, memberId)).round?.dueUnix ?? 0;
    await givenConfig(table, deps.orgId, { ...type, priceThousandths: 300_000 });
    await renewAt(deps, dueUnix);
    expect(await keptMinor(deps)).toBe(price);
    const last = (await announcements(deps)).at(-1);
    expect(last).toMatchObject({ status: 'announced', amount: 300, due: dueUnix + 7 * daySeconds });
    await renewAt(deps, dueUnix + 7 * daySeconds);
    expect(await keptMinor(deps)).toBe(price + 30_000);
  });

  it('that was agreed to shortly before the end is charged a week after its announcement', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, expiresUnix } = await givenRenewing(deps);
    await setAutoRenew(deps, { memberId, consentText: null });
    deps.nowUnix = expiresUnix - 2 * daySeconds;
    await setAutoRenew(deps, { memberId, consentText: 'Renew it.' });
    await renewAt(deps, expiresUnix - 2 * daySeconds);
    expect(await announcements(deps)).toMatchObject([{ due: expiresUnix + 5 * daySeconds }]);
    await renewAt(deps, expiresUnix - 1);
    expect(await keptMinor(deps)).toBe(price);
    await renewAt(deps, expiresUnix + 5 * daySeconds);
    expect(await keptMinor(deps)).toBe(2 * price);
  });

  it('without a type to renew as is only announced', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, expiresUnix, type } = await givenRenewing(deps);
    await givenConfig(table, deps.orgId, { ...type, termMonths: null });
    await renewAt(deps, expiresUnix - 30 * daySeconds);
    await renewAt(deps, expiresUnix - 7 * daySeconds);
    await renewAt(deps, expiresUnix);
    expect(await announcements(deps)).toMatchObject([
      { status: 'not_offered', amount: null, due: null },
      { status: 'not_offered' },
    ]);
    expect(await keptMinor(deps)).toBe(price);
    expect((await memberOf(deps, memberId)).expiresUnix).toBe(expiresUnix);
  });

  it('that is switched off, or renewed by the member, is not charged', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, expiresUnix } = await givenRenewing(deps);
    await renewAt(deps, expiresUnix - 30 * daySeconds);
    await renewMember(deps, memberId);
    await renewAt(deps, expiresUnix - 7 * daySeconds);
    await renewAt(deps, expiresUnix);
    expect(await keptMinor(deps)).toBe(2 * price);
    expect(await announcements(deps)).toHaveLength(1);
    const nextUnix = (await memberOf(deps, memberId)).expiresUnix ?? 0;
    for (const days of [30, 7]) await renewAt(deps, nextUnix - days * daySeconds);
    expect(await announcements(deps)).toHaveLength(3);
    // Only the charge is missing.
    await setAutoRenew(deps, { memberId, consentText: null });
    await renewAt(deps, nextUnix);
    expect(await keptMinor(deps)).toBe(2 * price);
  });
});

describe('a refunded term', () => {
  it('of a family switches off what renewed it, and the earlier term ends unannounced', async () => {
    const deps = newCheckoutDeps(table);
    const type = await givenType(table, deps.orgId, { persons: 2 });
    const { memberships } = await buyMembership(deps, type, [person('Ada'), person('Anne')]);
    const [first = 0, second = 0] = memberships.map(({ memberId }) => memberId);
    await switchOn(deps, first, 'pm_card_visa');
    await renewMember(deps, first);
    const renewed = await memberOf(deps, second);
    await refundOrder(deps, { orderId: Number(renewed.orderId), tickets: [], members: [second] });
    const expiresUnix = memberships[0]?.expiresUnix ?? 0;
    for (const memberId of [first, second]) {
      expect(await memberOf(deps, memberId)).toMatchObject({ autoRenew: false, expiresUnix, statusId: 1 });
    }
    // The consent and the card stay, as when the member switches it off.
    expect(await renewalOf(deps, first)).toMatchObject({
      isOn: false,
      round: null,
      consent: expect.anything(),
      saved: expect.anything(),
    });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    await renewAt(deps, expiresUnix - 30 * daySeconds);
    expect(await announcements(deps)).toEqual([]);
    // Who agrees again renews the earlier term.
    await setAutoRenew(deps, { memberId: first, consentText: 'Renew it.' });
    await renewAt(deps, expiresUnix - 30 * daySeconds);
    expect(await announcements(deps)).toMatchObject([{ status: 'announced', expires: expiresUnix }]);
  });

  it('that is the only one ends the membership and what would renew it', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, order } = await givenRenewing(deps);
    await refundOrder(deps, { orderId: order.orderId, tickets: [], members: [memberId] });
    expect(await memberOf(deps, memberId)).toMatchObject({ autoRenew: false, statusId: 3 });
    expect(await renewalOf(deps, memberId)).toMatchObject({ isOn: false });
  });
});

describe('a renewal that is declined', () => {
  it('for now is tried again after 3, 7 and 12 days, and then needs the member', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, expiresUnix } = await givenRenewing(deps, { method: 'pm_card_chargeCustomerFail' });
    await renewAt(deps, expiresUnix - 30 * daySeconds);
    await renewAt(deps, expiresUnix - 7 * daySeconds);
    const dueUnix = (await renewalOf(deps, memberId)).round?.dueUnix ?? 0;
    for (const days of [0, 3, 7, 12, 13]) await renewAt(deps, dueUnix + days * daySeconds);
    const told = (await announcements(deps)).slice(2);
    expect(told.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'action_required']);
    expect(told[0]).toMatchObject({ failure: 'card_declined', attempts: 1, next_attempt: dueUnix + 3 * daySeconds });
    expect(await keptMinor(deps)).toBe(price);
    expect((await memberOf(deps, memberId)).expiresUnix).toBe(expiresUnix);
    // With another card it is tried again, and the term begins now, because the last one is over.
    await setPaymentMethod(deps, { memberId, paymentMethod: 'pm_card_visa', returnUrl: null });
    await renewAt(deps, deps.nowUnix);
    expect(await keptMinor(deps)).toBe(2 * price);
    const terms = await termsOfMember(table, deps.orgId, memberId);
    expect(terms.at(-1)?.fromUnix).toBe(deps.nowUnix);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('because the member has to authenticate is not repeated', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, expiresUnix } = await givenRenewing(deps, { method: 'pm_card_authenticationRequired' });
    await renewAt(deps, expiresUnix - 30 * daySeconds);
    await renewAt(deps, expiresUnix - 7 * daySeconds);
    for (const days of [0, 3, 7]) await renewAt(deps, expiresUnix + days * daySeconds);
    const round = (await renewalOf(deps, memberId)).round;
    expect(round).toMatchObject({ status: 'action_required', failure: 'authentication_required', attempts: 1 });
    expect(await keptMinor(deps)).toBe(price);
  });

  it('with a card that must be approved on a page leaves no payment that could be approved later', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, expiresUnix } = await givenRenewing(deps, { method: 'pm_card_threeDSecure2Required' });
    await renewAt(deps, expiresUnix - 30 * daySeconds);
    await renewAt(deps, expiresUnix - 7 * daySeconds);
    await renewAt(deps, expiresUnix);
    const renewal = await renewalOf(deps, memberId);
    expect(renewal).toMatchObject({ attempt: null, round: { status: 'action_required' } });
    expect(await keptMinor(deps)).toBe(price);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
