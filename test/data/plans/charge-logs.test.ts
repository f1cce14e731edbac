import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { savePlan } from '../../../shared/data/plans/plans.ts';
import { saveRenewal } from '../../../shared/data/renewals/renewals.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Confirmed } from '../../../shared/payments/provider.ts';
import { log } from '../../../shared/platform/log.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { buyMembership, givenType } from '../../support/memberships.ts';
import { buyInInstalments, givenInstalmentType, planOf, sweep } from '../../support/plans.ts';
import { announceTwice, givenRenewing, renew, renewalOf } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

const info = vi.spyOn(log, 'info');
const error = vi.spyOn(log, 'error');
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterEach(() => {
  info.mockClear();
  error.mockClear();
});

/** What the provider says to the confirmation of a charge, by the outcome that it leads to. The sandbox pays. */
const answers: Readonly<Record<string, Confirmed>> = {
  declined: { outcome: 'declined', code: 'insufficient_funds', message: '' },
  refused: { outcome: 'refused', code: 'api_key_expired' },
  unsettled: { outcome: 'pending' },
};

/** A club whose next charge has the outcome; `meanwhile` runs once, when the worker has read what is due. */
function givenClub(outcome: string) {
  const next: { isDue: boolean; meanwhile: () => Promise<unknown> } = { isDue: false, meanwhile: async () => {} };
  const answer = answers[outcome];
  const deps = newCheckoutDeps(table, {
    around: (provider) => ({
      ...provider,
      confirm: async (...call) => (next.isDue && answer !== undefined ? answer : provider.confirm(...call)),
    }),
  });
  const provider = deps.payments.current();
  const current = async () => {
    const { meanwhile } = next;
    next.meanwhile = async () => {};
    await meanwhile();
    return provider;
  };
  return { deps: Object.assign(deps, { payments: { ...deps.payments, current } }), next };
}

/** What the worker logs about the first charge: its outcome and text, and the text of its error. */
const logged = () => ({
  ...info.mock.calls.map(([text, { outcome }]) => ({ outcome, text }))[0],
  error: error.mock.calls.flatMap(([text, { outcome }]) => (outcome === 'ChargeRefused' ? text : []))[0],
});

const refusedText = 'A charge was refused';
const unsettledText = 'It is not known whether a charge was paid';

describe('the log of the charging worker', () => {
  it.each([
    ['paid', 'instalment charged', undefined],
    ['declined', 'instalment declined', undefined],
    ['refused', 'instalment not charged', refusedText],
    ['unsettled', 'instalment not settled', unsettledText],
    ['raced', 'instalment left to another process', undefined],
  ])('of an instalment that is %s says "%s"', async (outcome, text, errorText) => {
    const { deps, next } = givenClub(outcome);
    const { planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    const plan = await planOf(deps, planId);
    deps.nowUnix = plan.instalments[1]?.dueUnix ?? 0;
    next.isDue = true;
    if (outcome === 'raced') next.meanwhile = () => savePlan(table, deps.orgId, plan, plan);
    await sweep(deps);
    expect(logged()).toEqual({ outcome, text, error: errorText });
  });

  it.each([
    ['renewed', 'membership renewed', undefined],
    ['declined', 'renewal declined', undefined],
    ['not_offered', 'renewal no longer offered', undefined],
    ['refused', 'renewal not charged', refusedText],
    ['unsettled', 'renewal not settled', unsettledText],
    ['raced', 'renewal left to another process', undefined],
  ])('of a renewal that is %s says "%s"', async (outcome, text, errorText) => {
    const { deps, next } = givenClub(outcome);
    const nextType = await givenType(table, deps.orgId, { capacity: 1 }, 'next');
    const { memberId } = await givenRenewing(deps, { renewsAsTypeId: nextType.typeId });
    deps.nowUnix = await announceTwice(deps, memberId);
    const renewal = await renewalOf(deps, memberId);
    next.isDue = true;
    if (outcome === 'raced') next.meanwhile = () => saveRenewal(table, deps.orgId, renewal, renewal);
    if (outcome === 'not_offered') next.meanwhile = () => buyMembership(deps, nextType);
    await renew(deps);
    expect(logged()).toEqual({ outcome, text, error: errorText });
  });
});
