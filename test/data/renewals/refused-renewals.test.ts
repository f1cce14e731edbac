import { beforeAll, describe, expect, it } from 'vitest';
import { setAutoRenew } from '../../../shared/charges/set-auto-renew.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { refusalAtGate } from '../../support/members-at-gate.ts';
import { buyMembership } from '../../support/memberships.ts';
import {
  announceTwice,
  daySeconds,
  givenRenewing,
  keptMinor,
  memberOf,
  renew,
  renewalOf,
  saveCard,
  switchOn,
} from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';
import { longSuite, longTest, someOf } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const price = 24_050;
const hour = 3_600;

const noAnswer = () => Promise.reject(new Error('No answer.'));

/** Faults that are not those of the card: the provider refuses, it does not answer, or the worker fails. */
const faults: Readonly<Record<string, Partial<PaymentProvider>>> = {
  refused: { prepare: async () => ({ outcome: 'refused', code: 'account_invalid' }) },
  unanswered: { confirm: noAnswer, retrieve: noAnswer, cancel: noAnswer },
  broken: {
    get prepare(): never {
      throw new Error('Broken.');
    },
  },
};

/** A provider that has a fault until it is repaired. */
function newFaultyDeps() {
  let fault: Partial<PaymentProvider> = {};
  const deps = newCheckoutDeps(table, {
    around: (provider) => new Proxy(provider, { get: (own, name) => Reflect.get(name in fault ? fault : own, name) }),
  });
  const breakProvider = (kind: string) => {
    fault = faults[kind] ?? {};
  };
  return { deps, breakProvider, repair: () => breakProvider('none') };
}

/** The workers run from now on. */
async function workUntil(deps: TestCheckoutDeps, untilUnix: number, everySeconds = hour): Promise<void> {
  while (deps.nowUnix < untilUnix) {
    deps.nowUnix = Math.min(untilUnix, deps.nowUnix + everySeconds);
    await renew(deps).catch(() => undefined);
    await sweepBaskets(deps);
  }
}

const lapses = async (deps: TestCheckoutDeps) =>
  (await eventsOf(deps)).filter(({ type }: { type: string }) => type === 'membership.lapsed');

/** A membership whose renewal was announced and is due. */
async function givenDue() {
  const faulty = newFaultyDeps();
  const { deps } = faulty;
  const given = await givenRenewing(deps, { gameDayAccess: 1 });
  deps.nowUnix = (await announceTwice(deps, given.memberId)) - 60;
  return { ...faulty, ...given };
}

describe('a renewal that is due and cannot be charged by a fault that is not of the card', () => {
  it.each(someOf(['refused', 'unanswered', 'broken'] as const, 3))(
    'lets the membership go on (%s); when the fault has ended it is charged, and the next term adjoins',
    async (kind) => {
      const { deps, memberId, expiresUnix, breakProvider, repair } = await givenDue();
      breakProvider(kind);
      await workUntil(deps, expiresUnix + hour);
      expect(await refusalAtGate(deps, memberId)).toBeUndefined();
      await workUntil(deps, expiresUnix + 2 * daySeconds, 3 * hour);
      expect(await refusalAtGate(deps, memberId)).toBeUndefined();
      expect(await lapses(deps)).toEqual([]);
      expect(await keptMinor(deps)).toBe(price);
      repair();
      await workUntil(deps, expiresUnix + 2 * daySeconds + 7 * hour);
      expect(await keptMinor(deps)).toBe(2 * price);
      const terms = await termsOfMember(table, deps.orgId, memberId);
      expect(terms.at(-1)?.fromUnix).toBe(expiresUnix);
      expect(await findingsOf(table, deps.orgId)).toEqual([]);
    },
  );

  longTest('lets it lapse fourteen days after its end', async () => {
    const { deps, memberId, expiresUnix, breakProvider } = await givenDue();
    breakProvider('refused');
    await workUntil(deps, expiresUnix + 14 * daySeconds - 600, 3 * hour);
    expect(await refusalAtGate(deps, memberId)).toBeUndefined();
    expect(await lapses(deps)).toEqual([]);
    await workUntil(deps, expiresUnix + 14 * daySeconds + 600);
    expect(await refusalAtGate(deps, memberId)).toBe('expired');
    expect(await lapses(deps)).toHaveLength(1);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('lets all members of the club go on, also those that the run does not try any more', async () => {
    const { deps, breakProvider } = newFaultyDeps();
    const { memberId, type, expiresUnix } = await givenRenewing(deps, { gameDayAccess: 1 });
    const memberIds = [memberId];
    for (let count = 0; count < 15; count += 1) {
      const { memberships } = await buyMembership(deps, type);
      const another = memberships[0]?.memberId ?? 0;
      await switchOn(deps, another, 'pm_card_visa');
      memberIds.push(another);
    }
    await announceTwice(deps, memberId);
    breakProvider('refused');
    // All are due in one run, which stops after three.
    deps.nowUnix = expiresUnix - hour;
    await renew(deps);
    deps.nowUnix = expiresUnix + hour;
    for (const each of memberIds) expect(await refusalAtGate(deps, each)).toBeUndefined();
  });

  longTest('ends within a day if the card is declined then, and at once if it is switched off', async () => {
    for (const isDeclined of [true, false]) {
      const { deps, memberId, expiresUnix, breakProvider, repair } = await givenDue();
      breakProvider('refused');
      await workUntil(deps, expiresUnix + daySeconds, 3 * hour);
      if (isDeclined) {
        repair();
        await saveCard(deps, memberId, 'pm_card_chargeCustomerFail');
        await workUntil(deps, expiresUnix + 2 * daySeconds, 3 * hour);
        expect((await renewalOf(deps, memberId)).round?.status).toBe('failed');
      } else {
        await setAutoRenew(deps, { memberId, consentText: null });
      }
      expect(await refusalAtGate(deps, memberId)).toBe('expired');
    }
  });

  it('does not bring back a membership that has lapsed because its card was declined', async () => {
    const { deps, memberId, expiresUnix, breakProvider } = await givenDue();
    await saveCard(deps, memberId, 'pm_card_chargeCustomerFail');
    await workUntil(deps, expiresUnix + hour);
    expect(await refusalAtGate(deps, memberId)).toBe('expired');
    breakProvider('refused');
    await workUntil(deps, expiresUnix + 4 * daySeconds, 6 * hour);
    expect(await refusalAtGate(deps, memberId)).toBe('expired');
    expect((await memberOf(deps, memberId)).goesOnUntilUnix).toBeUndefined();
  });
});

longSuite('a renewal that could not be charged for a long time', () => {
  it('is not charged any more: nobody expects it', async () => {
    const { deps, memberId, expiresUnix, breakProvider, repair } = await givenDue();
    breakProvider('refused');
    await workUntil(deps, expiresUnix + 31 * daySeconds, daySeconds);
    repair();
    await workUntil(deps, expiresUnix + 33 * daySeconds, daySeconds);
    expect(await keptMinor(deps)).toBe(price);
    expect(await refusalAtGate(deps, memberId)).toBe('expired');
  });
});
