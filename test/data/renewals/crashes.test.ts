import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { crashingDeps } from '../../support/faults/crashing-deps.ts';
import {
  announcements,
  daySeconds,
  givenRenewing,
  keptMinor,
  memberOf,
  renew,
  renewAt,
  renewalOf,
} from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

type When = 'before' | 'after';

/** The worker dies at a call. Returns whether it died. */
async function dies(deps: TestCheckoutDeps, at: number, when: When): Promise<boolean> {
  const { crashPoint, crashing } = await crashingDeps(deps, { at, when });
  return (await crashPoint.resultOf(renew(crashing).then(() => 'ended'))) === undefined;
}

/** The workers go on as in the minutes and days after a crash. */
async function goOn(deps: TestCheckoutDeps): Promise<void> {
  for (let run = 0; run < 6; run += 1) {
    deps.nowUnix += 61;
    await sweepBaskets(deps);
    await renew(deps);
  }
}

async function crashAtEvery(when: When, run: (at: number, when: When) => Promise<boolean>): Promise<void> {
  for (const at of crashPoints()) {
    if (await run(at, when)) continue;
    expect(at).toBeGreaterThan(5);
    return;
  }
}

async function chargeCrash(method: string, at: number, when: When): Promise<boolean> {
  const about = `${method} ${when} ${at}`;
  const deps = newCheckoutDeps(table);
  const { memberId, expiresUnix } = await givenRenewing(deps, { method, capacity: 5 });
  await renewAt(deps, expiresUnix - 30 * daySeconds);
  await renewAt(deps, expiresUnix - 7 * daySeconds);
  deps.nowUnix = (await renewalOf(deps, memberId)).round?.dueUnix ?? 0;
  const hasDied = await dies(deps, at, when);
  await goOn(deps);
  const isPaid = method === 'pm_card_visa';
  const terms = await termsOfMember(table, deps.orgId, memberId);
  expect(terms, about).toHaveLength(isPaid ? 2 : 1);
  expect(await keptMinor(deps), about).toBe(24_050 * terms.length);
  const { round, attempt } = await renewalOf(deps, memberId);
  expect(attempt, about).toBeNull();
  expect(round?.status, about).toBe(isPaid ? undefined : 'failed');
  if (!isPaid) expect((await memberOf(deps, memberId)).expiresUnix, about).toBe(expiresUnix);
  const told = (await announcements(deps)).map(({ status }) => status);
  expect(told, about).toEqual(['announced', 'announced', ...(isPaid ? [] : ['failed'])]);
  expect(await findingsOf(table, deps.orgId), about).toEqual([]);
  return hasDied;
}

describe.each(crashMoments)('a worker of renewals that dies %s a call', (when) => {
  it('charges the renewal once', async () => {
    await crashAtEvery(when, (at) => chargeCrash('pm_card_visa', at, when));
  });

  it('whose card is declined says so once', async () => {
    await crashAtEvery(when, (at) => chargeCrash('pm_card_chargeCustomerFail', at, when));
  });

  it('announces the renewal once', async () => {
    await crashAtEvery(when, async (at) => {
      const deps = newCheckoutDeps(table);
      const { expiresUnix } = await givenRenewing(deps);
      deps.nowUnix = expiresUnix - 30 * daySeconds;
      const hasDied = await dies(deps, at, when);
      await goOn(deps);
      expect(await announcements(deps), `${when} ${at}`).toHaveLength(1);
      expect(await keptMinor(deps)).toBe(24_050);
      return hasDied;
    });
  });
});
