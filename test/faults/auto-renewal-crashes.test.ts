import { beforeAll, describe, expect, it } from 'vitest';
import { setAutoRenew } from '../../shared/charges/set-auto-renew.ts';
import { membersOfCustomer } from '../../shared/data/members/of-customer.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { termsOfMember } from '../../shared/data/terms/terms.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import { cancelMembership } from '../../shared/sales/ended-memberships/cancel-membership.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenConfig, paymentOption } from '../../tools/fixtures/membership.ts';
import { findingsOf } from '../support/audit.ts';
import { checkOutWith, newCheckoutDeps, type TestCheckoutDeps } from '../support/baskets.ts';
import { crashingDeps } from '../support/faults/crashing-deps.ts';
import type { PlanCrash } from '../support/faults/plan-crash-scenario.ts';
import { eventsOf } from '../support/faults/refund-crash-scenario.ts';
import { buyMembership, givenMembershipBasket, givenType, person } from '../support/memberships.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweep } from '../support/plans.ts';
import {
  announcements,
  announceTwice,
  daySeconds,
  keptMinor,
  memberOf,
  renew,
  renewAt,
  renewalOf,
  saveCard,
  switchOn,
} from '../support/renewals.ts';
import { createTestTable } from '../support/table.ts';
import { crashPoints } from '../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const consentText = 'Renew it every year.';
const couple = [person('Ada'), person('Byron')];

/** A couple with a saved card. */
async function givenCouple(deps: TestCheckoutDeps) {
  await givenOrganisation(table, deps.orgId);
  const { memberships } = await buyMembership(deps, await givenType(table, deps.orgId, { persons: 2 }), couple);
  const [first = 0, second = 0] = memberships.map(({ memberId }) => memberId);
  await saveCard(deps, first, 'pm_card_visa');
  return { first, second, expiresUnix: (await memberOf(deps, first)).expiresUnix ?? 0 };
}

const both = (deps: TestCheckoutDeps, { first, second }: { readonly first: number; readonly second: number }) =>
  Promise.all([first, second].map((memberId) => memberOf(deps, memberId)));

async function countEvents(deps: TestCheckoutDeps, name: string): Promise<number> {
  return (await eventsOf(deps)).filter(({ type }: { type: string }) => type === name).length;
}

/** Runs a process that dies at a call. Returns whether it died. */
async function dies(deps: TestCheckoutDeps, crash: PlanCrash, work: (crashing: TestCheckoutDeps) => Promise<unknown>) {
  const { crashPoint, crashing } = await crashingDeps(deps, crash);
  return (await crashPoint.resultOf(work(crashing).then(() => 'ended'))) === undefined;
}

describe.each(['before', 'after'] as const)('a process of auto-renewal that dies %s a call', (when) => {
  const crashAtEvery = async (run: (deps: TestCheckoutDeps, crash: PlanCrash, about: string) => Promise<boolean>) => {
    for (const at of crashPoints()) {
      const deps = newCheckoutDeps(table);
      const hasDied = await run(deps, { table, at, when }, `${when} ${at}`);
      expect(await findingsOf(table, deps.orgId), `${when} ${at}`).toEqual([]);
      if (hasDied) continue;
      expect(at).toBeGreaterThan(3);
      return;
    }
  };

  it('a purchase is charged once, and renews itself with the card that paid', async () => {
    await crashAtEvery(async (deps, crash, about) => {
      await givenOrganisation(table, deps.orgId);
      await givenConfig(table, deps.orgId, paymentOption('renewing', { autoRenewal: 1 }));
      const basketId = await givenMembershipBasket(deps, await givenType(table, deps.orgId, { persons: 2 }), couple);
      const payment = { optionId: 'renewing', hasConsent: true, consentText };
      const hasDied = await dies(deps, crash, (crashing) => checkOutWith(crashing, basketId, { payment }));
      deps.nowUnix += 61;
      await sweepBaskets(deps);
      const result = await checkOutWith(deps, basketId, { payment });
      if (result.outcome !== 'confirmed') throw new Error(`${about}: ${JSON.stringify(result)}`);
      const members = await membersOfCustomer(table, deps.orgId, result.customer?.userId ?? 0);
      expect(members, about).toMatchObject([{ autoRenew: true }, { autoRenew: true }]);
      expect(await keptMinor(deps), about).toBe(24_050);
      const memberId = members[0]?.memberId ?? 0;
      expect(await renewalOf(deps, memberId), about).toMatchObject({
        isOn: true,
        consent: { text: consentText },
        saved: { paymentMethod: 'pm_card_visa' },
      });
      await renewAt(deps, (members[0]?.expiresUnix ?? 0) - 30 * daySeconds);
      expect(await announcements(deps), about).toHaveLength(1);
      return hasDied;
    });
  });

  it('set-auto-renew switches all of a membership on and off, or nobody', async () => {
    await crashAtEvery(async (deps, crash, about) => {
      const members = await givenCouple(deps);
      const { first, second, expiresUnix } = members;
      const on = { memberId: first, consentText };
      const hasDied = await dies(deps, crash, (crashing) => setAutoRenew(crashing, on));
      const { isOn } = await renewalOf(deps, first);
      expect(await both(deps, members), about).toMatchObject([{ autoRenew: isOn }, { autoRenew: isOn }]);
      expect(await setAutoRenew(deps, on), about).toMatchObject({ outcome: 'set', renewal: { isOn: true } });
      expect(await countEvents(deps, 'member.updated'), about).toBe(2);
      await renewAt(deps, expiresUnix - 30 * daySeconds);
      expect(await announcements(deps), about).toHaveLength(1);
      const off = { memberId: second, consentText: null };
      await dies(deps, crash, (crashing) => setAutoRenew(crashing, off));
      const autoRenew = (await renewalOf(deps, first)).isOn;
      expect(await both(deps, members), about).toMatchObject([{ autoRenew }, { autoRenew }]);
      expect(await setAutoRenew(deps, off), about).toMatchObject({ outcome: 'set', renewal: { isOn: false } });
      await renewAt(deps, expiresUnix);
      expect(await keptMinor(deps), about).toBe(24_050);
      return hasDied;
    });
  });

  it('cancel-member for the end cancels all of a membership, or nobody', async () => {
    await crashAtEvery(async (deps, crash, about) => {
      const members = await givenCouple(deps);
      const { first, expiresUnix } = members;
      await setAutoRenew(deps, { memberId: first, consentText });
      const cancel = (by: TestCheckoutDeps) =>
        cancelMembership(by, { memberId: first, when: 'end', refund: 'none' }, () => []);
      const hasDied = await dies(deps, crash, cancel);
      const { isOn } = await renewalOf(deps, first);
      const state = { autoRenew: isOn, cancelledUnix: isOn ? null : deps.nowUnix, statusId: 1 };
      expect(await both(deps, members), about).toMatchObject([state, state]);
      expect(await cancel(deps), about).toMatchObject({ outcome: 'cancelled' });
      expect(await countEvents(deps, 'membership.cancelled'), about).toBe(2);
      await renewAt(deps, expiresUnix - 30 * daySeconds);
      await renewAt(deps, expiresUnix);
      expect([await announcements(deps), await keptMinor(deps)], about).toEqual([[], 24_050]);
      return hasDied;
    });
  });

  it('the worker renews a membership in instalments once, with one plan', async () => {
    await crashAtEvery(async (deps, crash, about) => {
      const { memberId, planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
      await switchOn(deps, memberId, 'pm_card_visa');
      deps.nowUnix = (await planOf(deps, planId)).instalments.at(-1)?.dueUnix ?? 0;
      await sweep(deps);
      deps.nowUnix = await announceTwice(deps, memberId);
      const hasDied = await dies(deps, crash, renew);
      for (let run = 0; run < 6; run += 1) {
        deps.nowUnix += 61;
        await sweepBaskets(deps);
        await renew(deps);
      }
      expect(await keptMinor(deps), about).toBe(24_050 + 4_010);
      expect(await termsOfMember(table, deps.orgId, memberId), about).toHaveLength(2);
      const member = await memberOf(deps, memberId);
      expect(member, about).toMatchObject({ statusId: 2, autoRenew: true });
      expect(statusesOf(await planOf(deps, member.planId ?? 0)).slice(0, 2), about).toEqual(['paid', 'planned']);
      expect(await renewalOf(deps, memberId), about).toMatchObject({ round: null, attempt: null });
      return hasDied;
    });
  });

  it('the sweeper announces the lapse of each member once', async () => {
    await crashAtEvery(async (deps, crash, about) => {
      deps.nowUnix = (await givenCouple(deps)).expiresUnix;
      const hasDied = await dies(deps, crash, sweepBaskets);
      for (let run = 0; run < 3; run += 1) {
        deps.nowUnix += 61;
        await sweepBaskets(deps);
      }
      expect(await countEvents(deps, 'membership.lapsed'), about).toBe(2);
      return hasDied;
    });
  });
});
