import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { localDate } from '../../../shared/domain/time/local-time.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { buyMembership, givenType, renewMember } from '../../support/memberships.ts';
import { daySeconds, memberOf, renewAt, renewalOf, switchOn } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const timezone = 'Australia/Melbourne';
const at = (text: string): number => Date.parse(text) / 1000;

/** A member of a membership of one month that was bought at a time. */
async function givenMonthly(text: string, fields: object = {}) {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId);
  deps.nowUnix = at(text);
  const type = await givenType(table, deps.orgId, { termMonths: 1, ...fields });
  const { memberships } = await buyMembership(deps, type);
  return { deps, type, memberId: memberships[0]?.memberId ?? 0 };
}

/** The last days of the terms of a member. */
async function lastDays({ orgId }: TestCheckoutDeps, memberId: number): Promise<readonly string[]> {
  const terms = await termsOfMember(table, orgId, memberId);
  return terms
    .filter(({ state }) => state === 'active')
    .map(({ untilUnix }) => localDate((untilUnix ?? 0) - 1, timezone));
}

describe('the terms of a monthly membership', () => {
  it('keep their day of the month, where a shorter month has its last day', async () => {
    const { deps, memberId } = await givenMonthly('2027-01-31T12:00:00+11:00');
    for (let month = 0; month < 4; month += 1) await renewMember(deps, memberId);
    expect(await lastDays(deps, memberId)).toEqual([
      ...['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'],
    ]);
  });

  it('keep it when they renew themselves, and after the refund of a renewal', async () => {
    const { deps, memberId } = await givenMonthly('2027-01-31T12:00:00+11:00');
    await switchOn(deps, memberId, 'pm_card_visa');
    await renewAt(deps, deps.nowUnix + 60);
    const due = (await renewalOf(deps, memberId)).round?.dueUnix ?? 0;
    await renewAt(deps, due - 7 * daySeconds);
    await renewAt(deps, due);
    expect(await lastDays(deps, memberId)).toEqual(['2027-02-28', '2027-03-31']);
    const { order } = await renewMember(deps, memberId);
    await refundOrder(deps, { orderId: order.orderId, tickets: [], members: [memberId] });
    await renewMember(deps, memberId);
    expect(await lastDays(deps, memberId)).toEqual(['2027-02-28', '2027-03-31', '2027-04-30']);
  });

  it('have the day of the renewal after a lapse, and after a change of type', async () => {
    const { deps, memberId, type } = await givenMonthly('2027-01-31T12:00:00+11:00');
    deps.nowUnix = at('2027-03-10T12:00:00+11:00');
    await renewMember(deps, memberId);
    await renewMember(deps, memberId);
    expect(await lastDays(deps, memberId)).toEqual(['2027-02-28', '2027-04-10', '2027-05-10']);
    const other = await givenMonthly('2027-01-31T12:00:00+11:00');
    other.deps.nowUnix = at('2027-02-05T12:00:00+11:00');
    const gold = await givenType(table, other.deps.orgId, { termMonths: 1, priceThousandths: 900_000 }, 'gold');
    await renewMember(other.deps, other.memberId, gold);
    await renewMember(other.deps, other.memberId);
    expect((await lastDays(other.deps, other.memberId)).slice(1)).toEqual(['2027-03-05', '2027-04-05']);
    expect((await memberOf(other.deps, other.memberId)).typeId).not.toBe(type.typeId);
  });

  it('of 29 February return to it in the next leap year', async () => {
    const { deps, memberId } = await givenMonthly('2028-02-29T12:00:00+11:00', { termMonths: 12 });
    for (let year = 0; year < 3; year += 1) await renewMember(deps, memberId);
    expect((await lastDays(deps, memberId)).at(-1)).toBe('2032-02-29');
  });
});
