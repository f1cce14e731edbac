import { expect } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { CancelRefund } from '../../../shared/domain/members/cancellation.ts';
import { sumOf } from '../../../shared/domain/money.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { findingsOf } from '../audit.ts';
import { chargesOf, newCheckoutDeps } from '../baskets.ts';
import { expectEntries } from '../journal.ts';
import { person } from '../memberships.ts';
import { buyInInstalments, givenInstalmentType, planOf, statusesOf, sweepWhenDue } from '../plans.ts';
import { crashingDeps } from './crashing-deps.ts';
import type { PlanCrash } from './plan-crash-scenario.ts';
import { eventsOf } from './refund-crash-scenario.ts';

/** Whether a refund returns what it should of two paid instalments, after a month of twelve. */
const isReturned: Readonly<Record<CancelRefund, (amountMinor: number) => boolean>> = {
  none: (amountMinor) => amountMinor === 0,
  unused: (amountMinor) => amountMinor > 5_500 && amountMinor < 6_500,
  all: (amountMinor) => amountMinor === 8_018,
};

/** A couple cancels a membership with two paid instalments, and the process dies. Returns whether it died. */
export async function runCancelCrash(crash: PlanCrash, refund: CancelRefund): Promise<boolean> {
  const deps = newCheckoutDeps(crash.table);
  const { table, orgId } = deps;
  const type = await givenInstalmentType(deps, { persons: 2 });
  const couple = { holders: [person('Ada'), person('Byron')] };
  const { planId, memberId, memberships, order } = await buyInInstalments(deps, type, couple);
  await sweepWhenDue(deps, planId, 2);
  const { crashPoint, crashing } = await crashingDeps(deps, crash);
  const cancelAndRefund = async () => {
    const cancelled = await cancelMembership(crashing, { memberId, when: 'now', refund }, () => []);
    await executeRefunds(crashing, order.orderId);
    return cancelled;
  };
  const ended = await crashPoint.resultOf(cancelAndRefund());
  const about = `cancel ${refund} ${crash.when} ${crash.at}`;
  const members = await Promise.all(memberships.map((one) => readMember(table, orgId, one.memberId)));
  const isCancelled = members[0]?.statusId === 3;
  // Access and debt end together, before any money is returned.
  expect(
    members.map((member) => member?.statusId),
    about,
  ).toEqual(isCancelled ? [3, 3] : [2, 2]);
  const open = statusesOf(await planOf(deps, planId)).filter((status) => status === 'planned');
  expect(open, about).toHaveLength(isCancelled ? 0 : 4);
  deps.nowUnix += 3_600;
  await sweepBaskets(deps);
  const left = sumOf((await chargesOf(deps)).map(({ amountMinor, refundedMinor }) => amountMinor - refundedMinor));
  const { refunds } = (await readBasket(table, orgId, order.orderId)) ?? {};
  expect(
    refunds?.map(({ state }) => state),
    about,
  ).toEqual(isCancelled ? ['done'] : []);
  expect(left, about).toBe(8_018 - (refunds?.[0]?.amountMinor ?? 0));
  expect(isReturned[refund](8_018 - left), about).toBe(isCancelled || refund === 'none');
  await expectEntries(deps, order.orderId, ['sale', 'instalment', ...(isCancelled ? ['refund'] : [])], about);
  const announced = (await eventsOf(deps)).filter(({ type: name }) => name === 'membership.cancelled');
  expect(announced, about).toHaveLength(isCancelled ? 2 : 0);
  expect(await findingsOf(table, orgId), about).toEqual([]);
  if (ended !== undefined) expect(ended, about).toMatchObject({ outcome: 'cancelled' });
  return ended === undefined;
}
