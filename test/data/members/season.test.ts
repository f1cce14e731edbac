import { beforeAll, describe, expect, it } from 'vitest';
import { payInstalment } from '../../../shared/charges/pay-instalment.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { readRenewedItem } from '../../../shared/sales/baskets/renewed-item.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { givenType, noRenewal, person, renewMember } from '../../support/memberships.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweep } from '../../support/plans.ts';
import { announcements, approve, daySeconds, memberOf, renew, saveCard, switchOn } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Moves the time as `npm run clock` does, a day at a time, and lets every worker run. */
async function passDays(deps: TestCheckoutDeps, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    deps.nowUnix += daySeconds;
    await sweep(deps);
    await renew(deps);
    await sweepBaskets(deps);
  }
}

const daysUntil = (deps: TestCheckoutDeps, unix: number): number => Math.ceil((unix - deps.nowUnix) / daySeconds);

const identity = ({ memberId, memberNumber, barcode }: MemberRecord) => ({ memberId, memberNumber, barcode });

describe('a season of a family', () => {
  it('is bought in instalments, declined, authenticated, upgraded, announced, renewed, lapsed and revived', async () => {
    const deps = newCheckoutDeps(table);
    const family = await givenInstalmentType(deps, { persons: 4 });
    const plus = await givenType(table, deps.orgId, { persons: 4, priceThousandths: 400_000 }, 'plus');
    const holders = ['Ada', 'Byron', 'Anne', 'Ralph'].map((name) => person(name));
    const paymentMethod = 'pm_card_chargeCustomerFail';
    const { planId, memberId, memberships } = await buyInInstalments(deps, family, { holders, paymentMethod });
    const ids = memberships.map((one) => one.memberId);
    const members = () => Promise.all(ids.map((id) => memberOf(deps, id)));
    const cards = (await members()).map(identity);
    expect((await members()).map(({ statusId }) => statusId)).toEqual([2, 2, 2, 2]);

    // The second instalment is declined, and tried again three days later. Another card pays it within a minute.
    const { instalments } = await planOf(deps, planId);
    await passDays(deps, daysUntil(deps, instalments[1]?.dueUnix ?? 0) + 4);
    expect((await planOf(deps, planId)).instalments[1]).toMatchObject({ status: 'failed', attempts: 2 });
    expect((await members()).map(({ overdueSinceUnix }) => overdueSinceUnix)).toEqual(
      ids.map(() => instalments[1]?.dueUnix),
    );
    await saveCard(deps, memberId, 'pm_card_visa');
    await passDays(deps, 1);
    expect((await planOf(deps, planId)).instalments[1]).toMatchObject({ status: 'paid' });
    expect((await members()).map(({ overdueSinceUnix }) => overdueSinceUnix)).toEqual([null, null, null, null]);

    // The bank wants the member for the third one, who pays it with 3-D Secure.
    await saveCard(deps, memberId, 'pm_card_authenticationRequired');
    await passDays(deps, daysUntil(deps, instalments[2]?.dueUnix ?? 0) + 1);
    expect((await planOf(deps, planId)).instalments[2]).toMatchObject({ status: 'action_required' });
    const secure = { planId, number: null, paymentMethod: 'pm_card_threeDSecure2Required', returnUrl: null };
    const asked = await payInstalment(deps, secure);
    if (asked.outcome !== 'action_required') throw new Error(asked.outcome);
    await approve(deps, asked.payment.client_secret);
    expect(await payInstalment(deps, secure)).toMatchObject({ outcome: 'paid' });

    // In month three they upgrade. What is open is paid first.
    const change = { ...noRenewal, replaces: memberId, typeId: plus.typeId };
    const refused = await readRenewedItem({ ...deps, isPublic: false }, change);
    expect(refused).toEqual({ kind: 'none', refusal: { reason: 'instalments_outstanding' } });
    for (const number of [4, 5, 6]) {
      const paid = await payInstalment(deps, { planId, number, paymentMethod: 'pm_card_visa', returnUrl: null });
      expect(paid).toMatchObject({ outcome: 'paid' });
    }
    expect(statusesOf(await planOf(deps, planId))).toEqual(Array(6).fill('paid'));
    expect((await members()).map(({ statusId }) => statusId)).toEqual([1, 1, 1, 1]);
    const upgraded = await renewMember(deps, memberId, plus);
    // About ten of twelve months of 240.50 are left.
    expect(upgraded.order.totalMinor).toBeGreaterThan(19_000);
    expect(upgraded.order.totalMinor).toBeLessThan(21_500);
    expect((await members()).map(({ typeId }) => typeId)).toEqual(ids.map(() => plus.typeId));
    expect(await findingsOf(table, deps.orgId)).toEqual([]);

    // They agree to auto-renewal. It is announced twice, and renews all four with the same cards.
    await switchOn(deps, memberId, 'pm_card_visa');
    const firstEnd = (await memberOf(deps, memberId)).expiresUnix ?? 0;
    await passDays(deps, daysUntil(deps, firstEnd) + 1);
    expect((await announcements(deps)).map(({ amount, status }) => [amount, status])).toEqual([
      [400, 'announced'],
      [400, 'announced'],
    ]);
    expect((await members()).map(identity)).toEqual(cards);
    expect(await termsOfMember(table, deps.orgId, memberId)).toHaveLength(3);
    const secondEnd = (await memberOf(deps, memberId)).expiresUnix ?? 0;
    expect(secondEnd).toBeGreaterThan(firstEnd + 360 * daySeconds);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);

    // They leave at the end: the memberships lapse, each announced once.
    const end = { memberId, when: 'end', refund: 'none' } as const;
    expect(await cancelMembership(deps, end, () => [])).toMatchObject({ outcome: 'cancelled' });
    await passDays(deps, daysUntil(deps, secondEnd) + 3);
    const lapsed = (await eventsOf(deps)).filter(({ type }) => type === 'membership.lapsed');
    expect(lapsed).toHaveLength(4);
    expect((await members()).map(({ expiresUnix }) => expiresUnix)).toEqual(ids.map(() => secondEnd));
    expect((await announcements(deps)).length).toBe(2);

    // A renewal revives them with the same cards, from now on.
    await renewMember(deps, memberId);
    const revived = await members();
    expect(revived.map(identity)).toEqual(cards);
    expect(revived.map(({ cancelledUnix, statusId }) => [cancelledUnix, statusId])).toEqual(ids.map(() => [null, 1]));
    const terms = await termsOfMember(table, deps.orgId, memberId);
    expect(terms.at(-1)).toMatchObject({ fromUnix: deps.nowUnix, state: 'active', typeId: plus.typeId });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
