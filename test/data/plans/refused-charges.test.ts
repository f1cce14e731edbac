import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { chargeDue } from '../../../shared/charges/charge-due.ts';
import { payInstalment } from '../../../shared/charges/pay-instalment.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { updateOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { type FoundHint, overdueHints } from '../../../shared/data/table/due-hints.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { instalmentProblem } from '../../../shared/http/handlers/problems/instalment-problem.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { stripeProvider } from '../../../shared/payments/stripe.ts';
import { openStripeClient } from '../../../shared/payments/stripe-client.ts';
import { log } from '../../../shared/platform/log.ts';
import { failure, type StripeResponse } from '../../../tools/fixtures/stripe-intents.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkoutDepsOf, type TestCheckoutDeps } from '../../support/baskets.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweep } from '../../support/plans.ts';
import { printedLines } from '../../support/printed-lines.ts';
import { announceTwice, givenRenewing, renew, renewalOf } from '../../support/renewals.ts';
import { StripeDouble, type StripeFault } from '../../support/stripe-double.ts';
import { createTestTable } from '../../support/table.ts';
import { someOf } from '../../support/thorough.ts';

const double = new StripeDouble();
const logged = vi.spyOn(log, 'error');
let table: Table;
let stripe: PaymentProvider;
beforeAll(async () => {
  // It gives up at once when Stripe has too many calls.
  stripe = stripeProvider(await openStripeClient(double.secretKey, { ...(await double.start()), busyPausesMs: [] }));
});
afterAll(() => double.stop());
beforeEach(async () => {
  ({ table } = await createTestTable());
});
afterEach(() => {
  logged.mockClear();
  double.endFaults();
  vi.unstubAllEnvs();
});

const refusals = () =>
  logged.mock.calls
    .filter(([, { outcome }]) => outcome === 'ChargeRefused')
    .map(([, { provider_code }]) => provider_code);

let made = 0;
/** A club with an account at Stripe that sells memberships in instalments. */
async function givenStripeClub() {
  const orgId = `org_refused_${++made}`;
  const deps = checkoutDepsOf(table, orgId, { around: () => stripe });
  const type = await givenInstalmentType(deps);
  await updateOrganisation(table, orgId, { paymentAccountId: `acct_${orgId}` });
  return { deps, type };
}

async function givenDuePlan() {
  const { deps, type } = await givenStripeClub();
  const { planId, memberId } = await buyInInstalments(deps, type);
  deps.nowUnix = (await planOf(deps, planId)).instalments[1]?.dueUnix ?? 0;
  return { deps, planId, memberId };
}

/** What Stripe has taken of an organisation, without the first share. */
const takenOf = ({ orgId }: TestCheckoutDeps, owner: RegExp): number =>
  double.intents.filter(
    ({ metadata, status }) =>
      metadata.gateline_org === orgId && status === 'succeeded' && owner.test(metadata.gateline_charge ?? ''),
  ).length;

const error = (status: number, type: string, code: string, more = {}): StripeResponse =>
  failure(status, { type, code, message: 'Not now.', ...more });

/** Every kind of error of Stripe that is not about the card. The library sends a request again whose connection broke, or that met a 500. */
const faults: Readonly<Record<string, { readonly fault: StripeFault; readonly times: number }>> = {
  authentication: { fault: error(401, 'invalid_request_error', 'api_key_expired'), times: 1 },
  permission: { fault: error(403, 'invalid_request_error', 'account_invalid'), times: 1 },
  'invalid request': {
    fault: error(400, 'invalid_request_error', 'parameter_invalid', { param: 'statement_descriptor_suffix' }),
    times: 1,
  },
  'method of the other mode': {
    fault: error(400, 'invalid_request_error', 'resource_missing', {
      param: 'payment_method',
      message: 'No such PaymentMethod; a similar object exists in test mode, but a live mode key was used.',
    }),
    times: 1,
  },
  rate: { fault: 429, times: 1 },
  API: { fault: error(500, 'api_error', 'api_error'), times: 2 },
  connection: { fault: 'refused', times: 2 },
  idempotency: { fault: error(400, 'idempotency_error', 'idempotency_key_in_use'), times: 1 },
};
const kinds = someOf(Object.keys(faults), 3);
const steps = { creation: /POST \/v1\/payment_intents$/, confirmation: /confirm$/ } as const;

function failStep(step: keyof typeof steps, kind: string): void {
  const { fault, times } = faults[kind] ?? { fault: 500, times: 0 };
  for (let time = 0; time < times; time += 1) double.failNext(steps[step], fault);
}

describe.each(['creation', 'confirmation'] as const)('the %s of a charge of an instalment', (step) => {
  it.each(kinds)('that meets the error "%s" leaves it due; it is charged later, once', async (kind) => {
    const { deps, planId, memberId } = await givenDuePlan();
    failStep(step, kind);
    await sweep(deps);
    const refused = await planOf(deps, planId);
    expect(statusesOf(refused).slice(0, 3)).toEqual(['paid', 'planned', 'planned']);
    expect(refused.instalments[1]).toMatchObject({ failure: null, attempts: 1 });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ overdueSinceUnix: null });
    expect(refusals()).toHaveLength(1);
    double.endFaults();
    for (let minute = 0; minute < 4; minute += 1) {
      deps.nowUnix += 61;
      await sweep(deps);
    }
    expect(statusesOf(await planOf(deps, planId)).slice(0, 3)).toEqual(['paid', 'paid', 'planned']);
    expect(takenOf(deps, /^instalment-/)).toBe(1);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('that meets a card error declines it', async () => {
    const { deps, planId, memberId } = await givenDuePlan();
    double.failNext(steps[step], error(402, 'card_error', 'card_declined', { decline_code: 'insufficient_funds' }));
    await sweep(deps);
    const { instalments } = await planOf(deps, planId);
    expect(instalments[1]).toMatchObject({ status: 'failed', failure: 'insufficient_funds' });
    expect((await readMember(table, deps.orgId, memberId))?.overdueSinceUnix).not.toBeNull();
    expect(refusals()).toEqual([]);
  });
});

describe('a charge of an instalment that cannot be made', () => {
  it('because the account was disconnected here leaves it due, too', async () => {
    const { deps, planId } = await givenDuePlan();
    await updateOrganisation(table, deps.orgId, { paymentAccountId: null });
    await sweep(deps);
    expect((await planOf(deps, planId)).instalments[1]).toMatchObject({ status: 'planned', attempts: 0 });
    expect(refusals()).toEqual(['account_missing']);
  });

  it('because its card is gone at Stripe needs the member', async () => {
    const { deps, planId } = await givenDuePlan();
    const gone = { param: 'payment_method', message: 'No such PaymentMethod' };
    double.failNext(steps.creation, error(400, 'invalid_request_error', 'resource_missing', gone));
    await sweep(deps);
    expect((await planOf(deps, planId)).instalments[1]).toMatchObject({
      status: 'action_required',
      failure: 'method_missing',
    });
    expect(refusals()).toEqual([]);
  });

  it('is tried again after pauses that grow to six hours', async () => {
    const { deps, planId } = await givenDuePlan();
    const dueUnix = deps.nowUnix;
    const triedAt: number[] = [];
    await updateOrganisation(table, deps.orgId, { paymentAccountId: null });
    for (let minute = 0; minute < 48 * 60; minute += 10) {
      deps.nowUnix = dueUnix + minute * 60;
      const before = refusals().length;
      await sweep(deps);
      if (refusals().length > before) triedAt.push(minute);
    }
    expect(triedAt.length).toBeLessThan(20);
    const pauses = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0));
    expect(Math.max(...pauses)).toBe(6 * 60);
    await updateOrganisation(table, deps.orgId, { paymentAccountId: `acct_${deps.orgId}` });
    deps.nowUnix += 6 * 3_600;
    await sweep(deps);
    expect((await planOf(deps, planId)).instalments[1]?.status).toBe('paid');
  });

  it('does not keep the worker failing for ever if it throws', async () => {
    const { deps, planId } = await givenDuePlan();
    const broken = { ...deps, payments: { ...deps.payments, current: () => Promise.reject(new Error('broken')) } };
    await expect(chargeDue(broken)).rejects.toThrow('1 items could not be swept.');
    await chargeDue(broken);
    deps.nowUnix += 60;
    await chargeDue(deps);
    expect((await planOf(deps, planId)).instalments[1]?.status).toBe('paid');
  });

  it('stops the run for its organisation after three in a row, and for no other', async () => {
    const { deps, type } = await givenStripeClub();
    const other = await givenDuePlan();
    const sold = 15;
    for (let count = 0; count < sold; count += 1) await buyInInstalments(deps, type);
    deps.nowUnix = other.deps.nowUnix + 86_400;
    other.deps.nowUnix = deps.nowUnix;
    await updateOrganisation(table, deps.orgId, { paymentAccountId: null });
    await sweep(deps);
    const tried = refusals().length;
    expect(tried).toBeGreaterThanOrEqual(3);
    expect(tried).toBeLessThan(sold);
    expect((await planOf(other.deps, other.planId)).instalments[1]?.status).toBe('paid');
    const left: FoundHint[] = [];
    for await (const hints of overdueHints(table, 'plan', deps.nowUnix)) left.push(...hints);
    expect(left.filter(({ ref }) => ref[0] === deps.orgId)).toHaveLength(sold - tried);
  });
});

describe('the age of the oldest due charge', () => {
  it('counts from when it was first due, however often it was refused', async () => {
    const { deps } = await givenDuePlan();
    await updateOrganisation(table, deps.orgId, { paymentAccountId: null });
    await sweep(deps);
    deps.nowUnix += 7_200;
    await sweep(deps);
    deps.nowUnix += 7_200;
    const refused = { operation: 'charge-instalments', ChargeRefused: 1 };
    const oldest = { operation: 'charge-instalments', OldestDueSeconds: 14_400 };
    expect(await printedLines(() => sweep(deps))).toEqual(
      expect.arrayContaining([expect.objectContaining(refused), expect.objectContaining(oldest)]),
    );
  });

  it('is zero when all is charged', async () => {
    const { deps } = await givenDuePlan();
    expect(await printedLines(() => sweep(deps))).toContainEqual(expect.objectContaining({ OldestDueSeconds: 0 }));
  });
});

describe('a member who pays an instalment', () => {
  it.each(kinds)('and meets the error "%s" is not told that the card was declined', async (kind) => {
    for (const step of ['creation', 'confirmation'] as const) {
      const { deps, planId } = await givenDuePlan();
      failStep(step, kind);
      const command = { planId, number: 2, paymentMethod: 'pm_card_visa', returnUrl: null };
      const result = await payInstalment(deps, command);
      if (result.outcome === 'paid' || result.outcome === 'prepared') throw new Error(result.outcome);
      const [{ code }] = instalmentProblem(result).details;
      expect(['payment_refused', 'dependency_unavailable', 'payment_unknown']).toContain(code);
      expect((await planOf(deps, planId)).instalments[1]).toMatchObject({ status: 'planned', failure: null });
      double.endFaults();
      for (let minute = 0; minute < 4; minute += 1) {
        deps.nowUnix += 61;
        await sweep(deps);
      }
      expect(takenOf(deps, /^instalment-/)).toBe(1);
    }
  });
});

describe.each(['creation', 'confirmation'] as const)('the %s of a charge of a renewal', (step) => {
  it.each(kinds)('that meets the error "%s" leaves it due; it is charged later, once', async (kind) => {
    const { deps } = await givenStripeClub();
    const { memberId } = await givenRenewing(deps);
    await updateOrganisation(table, deps.orgId, { paymentAccountId: `acct_${deps.orgId}` });
    deps.nowUnix = await announceTwice(deps, memberId);
    const before = takenOf(deps, /./);
    failStep(step, kind);
    await renew(deps);
    const { round } = await renewalOf(deps, memberId);
    expect(round).toMatchObject({ status: 'announced', failure: null, attempts: 1 });
    expect(refusals()).toHaveLength(1);
    double.endFaults();
    for (let minute = 0; minute < 4; minute += 1) {
      deps.nowUnix += 61;
      await renew(deps);
    }
    expect(takenOf(deps, /./)).toBe(before + 1);
    expect(await renewalOf(deps, memberId)).toMatchObject({ round: null, attempt: null, isOn: true });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
