import { expect } from 'vitest';
import { sweepRenewals } from '../../shared/charges/charge-due.ts';
import { startChargeStops } from '../../shared/charges/charge-stops.ts';
import { setAutoRenew } from '../../shared/charges/set-auto-renew.ts';
import { setPaymentMethod } from '../../shared/charges/set-payment-method.ts';
import { readMember } from '../../shared/data/members/read.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import type { TypeRecord } from '../../shared/data/membership/config-rows.ts';
import { readRenewal } from '../../shared/data/renewals/renewals.ts';
import { sumOf } from '../../shared/domain/money.ts';
import type { RenewalRecord } from '../../shared/domain/renewals/renewal.ts';
import type { MembershipRenewal } from '../../shared/operations/schemas/membership-renewal.ts';
import { decideSandboxPayment, readSandboxPayment } from '../../shared/payments/sandbox-token.ts';
import type { SweepAttempt } from '../../shared/platform/sweep-run.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { chargesOf, type TestCheckoutDeps } from './baskets.ts';
import { eventsOf } from './faults/refund-crash-scenario.ts';
import { buyMembership, givenType } from './memberships.ts';

export async function memberOf({ table, orgId }: TestCheckoutDeps, memberId: number): Promise<MemberRecord> {
  const member = await readMember(table, orgId, memberId);
  if (member === undefined) throw new Error('The member is missing.');
  return member;
}

/** The record of the auto-renewal of a member. */
export async function renewalOf(deps: TestCheckoutDeps, memberId: number): Promise<RenewalRecord> {
  const { renewalId } = await memberOf(deps, memberId);
  const renewal = renewalId === null ? undefined : await readRenewal(deps.table, deps.orgId, renewalId);
  if (renewal === undefined) throw new Error('The record of the auto-renewal is missing.');
  return renewal;
}

const consentText = 'Renew my membership every year.';
export const daySeconds = 86_400;

/** A member who has saved a card and agreed to auto-renewal. */
export async function givenRenewing(
  deps: TestCheckoutDeps,
  { method = 'pm_card_visa', ...fields }: Partial<TypeRecord> & { readonly method?: string } = {},
) {
  await givenOrganisation(deps.table, deps.orgId);
  const type = await givenType(deps.table, deps.orgId, fields);
  const { memberships, order } = await buyMembership(deps, type);
  const memberId = memberships[0]?.memberId ?? 0;
  await switchOn(deps, memberId, method);
  return { type, order, memberId, expiresUnix: (await memberOf(deps, memberId)).expiresUnix ?? 0 };
}

/** Saves a card of the sandbox, also one that its owner must approve. */
export async function saveCard(deps: TestCheckoutDeps, memberId: number, paymentMethod: string): Promise<void> {
  const command = { memberId, paymentMethod, returnUrl: null };
  const saved = await setPaymentMethod(deps, command);
  if (saved.outcome !== 'waiting') return;
  await approve(deps, saved.setup.client_secret);
  await setPaymentMethod(deps, command);
}

/** The member approves a payment on the page of the sandbox. */
export async function approve({ table }: TestCheckoutDeps, clientSecret: string | null): Promise<void> {
  const charge = await readSandboxPayment(table, clientSecret ?? '');
  if (charge !== undefined) await decideSandboxPayment(table, charge, 'approve');
}

/** Saves a card and agrees to auto-renewal. */
export async function switchOn(deps: TestCheckoutDeps, memberId: number, paymentMethod: string): Promise<void> {
  await saveCard(deps, memberId, paymentMethod);
  expect(await setAutoRenew(deps, { memberId, consentText })).toMatchObject({ outcome: 'set' });
}

const failing: SweepAttempt = (_item, work) => work();

/** Runs the worker once, now. A failure is thrown. */
export async function renew(deps: TestCheckoutDeps): Promise<void> {
  const { table, clock, payments } = deps;
  const stops = startChargeStops();
  await sweepRenewals({ table, clock, payments, hasTime: () => true, pace: async () => {}, attempt: failing, stops });
}

/** Moves the clock, and runs the worker. */
export async function renewAt(deps: TestCheckoutDeps, unix: number): Promise<void> {
  deps.nowUnix = unix;
  await renew(deps);
}

/** Runs the worker 30 and 7 days before the renewal. Returns when it is charged. */
export async function announceTwice(deps: TestCheckoutDeps, memberId: number): Promise<number> {
  const { expiresUnix } = await memberOf(deps, memberId);
  await renewAt(deps, (expiresUnix ?? 0) - 30 * daySeconds);
  const dueUnix = (await renewalOf(deps, memberId)).round?.dueUnix ?? 0;
  await renewAt(deps, dueUnix - 7 * daySeconds);
  return dueUnix;
}

/** The data of the events of one type, in order. */
export async function announcements(deps: TestCheckoutDeps) {
  const events: readonly { readonly type: string; readonly data: { readonly renewal: MembershipRenewal } }[] =
    await eventsOf(deps);
  return events.filter(({ type }) => type === 'membership.renewal_due').map(({ data }) => data.renewal);
}

/** What was charged and not returned. */
export async function keptMinor(deps: TestCheckoutDeps): Promise<number> {
  const charges = (await chargesOf(deps)).filter(({ status }) => status === 'paid');
  return sumOf(charges.map(({ amountMinor, refundedMinor }) => amountMinor - refundedMinor));
}
