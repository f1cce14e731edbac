import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../shared/data/table/table.ts';
import { termsOfMember } from '../../shared/data/terms/terms.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import { findingsOf } from '../support/audit.ts';
import { newCheckoutDeps } from '../support/baskets.ts';
import { crashingProvider, crashingTable, RacePoint } from '../support/faults/crashing-deps.ts';
import { type Act, cancelOrder, carryOut, givenDue, refund, request } from '../support/faults/renewal-race-scenario.ts';
import { keptMinor, memberOf, renew, renewalOf } from '../support/renewals.ts';
import { createTestTable } from '../support/table.ts';
import { crashPoints } from '../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const price = 24_050;

/** The worker charges the next term, and at one of its calls somebody ends the last one. Returns whether it made so many calls. */
async function race(at: number, when: 'before' | 'after', end: Act, begin: Act) {
  const deps = newCheckoutDeps(table);
  const due = await givenDue(deps);
  await begin(deps, due);
  const point = new RacePoint(at, when, () => end(deps, due));
  const provider = crashingProvider(await deps.payments.current(), point);
  const payments = { ...deps.payments, current: async () => provider, byName: async () => provider };
  await renew({ ...deps, table: crashingTable(table, point), payments, clock: deps.clock });
  for (let run = 0; run < 6; run += 1) {
    deps.nowUnix += 61;
    await sweepBaskets(deps);
    await renew(deps);
  }
  const member = await memberOf(deps, due.memberId);
  const terms = await termsOfMember(table, deps.orgId, due.memberId);
  const { isOn, attempt } = await renewalOf(deps, due.memberId);
  expect(attempt, `${when} ${at}`).toBeNull();
  expect(isOn, `${when} ${at}`).toBe(member.autoRenew);
  expect(await findingsOf(table, deps.orgId), `${when} ${at}`).toEqual([]);
  const states = terms.map(({ state }) => state);
  return { isRaced: point.calls >= at, states, isOn, keptTerms: (await keptMinor(deps)) / price };
}

const renewed = { states: ['active', 'active', 'active'], isOn: true, keptTerms: 3 };

describe.each(['before', 'after'] as const)('a worker that renews a member whose last term ends %s a call', (when) => {
  const endAtEvery = async (end: Act, ends: readonly object[], begin: Act = async () => {}): Promise<number> => {
    let last = 0;
    for (const at of crashPoints()) {
      const { isRaced, ...result } = await race(at, when, end, begin);
      expect(ends, `${when} ${at}`).toContainEqual(result);
      last = at;
      if (!isRaced) break;
    }
    return last;
  };

  // The refund is first, and what was charged is returned; or the renewal is, and the member keeps the later term.
  const refunded = [
    { states: ['active', 'refunded'], isOn: false, keptTerms: 1 },
    { states: ['active', 'refunded', 'active'], isOn: true, keptTerms: 2 },
  ];

  it('by a refund', async () => {
    expect(await endAtEvery(refund, [renewed, ...refunded])).toBeGreaterThan(20);
  });

  it('by a refund that was requested before and is carried out now: it is not renewed meanwhile, so there are fewer calls', async () => {
    expect(await endAtEvery(carryOut, refunded.slice(0, 1), request)).toBeGreaterThan(10);
  });

  it('by the cancellation of its order', async () => {
    const cancelled = { states: ['active', 'cancelled'], isOn: false, keptTerms: 2 };
    expect(await endAtEvery(cancelOrder, [renewed, cancelled])).toBeGreaterThan(20);
  });
});
