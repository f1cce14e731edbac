import { expect } from 'vitest';
import { payInstalment } from '../../../shared/charges/pay-instalment.ts';
import { membersOfCustomer } from '../../../shared/data/members/of-customer.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { savePlan } from '../../../shared/data/plans/plans.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { sumOf } from '../../../shared/domain/money.ts';
import { paidMinor } from '../../../shared/domain/plans/plan.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { findingsOf } from '../audit.ts';
import { chargesOf, checkOutWith, newCheckoutDeps, type TestCheckoutDeps } from '../baskets.ts';
import { expectEntries } from '../journal.ts';
import { givenMembershipBasket } from '../memberships.ts';
import { buyInInstalments, givenInstalmentType, planOf, sixMonthly, sweep } from '../plans.ts';
import { crashingDeps } from './crashing-deps.ts';
import { eventsOf, refundOrder } from './refund-crash-scenario.ts';

export interface PlanCrash {
  readonly table: Table;
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** What was charged and not returned is what the plan says, and every event was announced once. */
async function expectConsistent(deps: TestCheckoutDeps, planId: number, orderId: number, about: string) {
  const plan = await planOf(deps, planId);
  const charges = (await chargesOf(deps)).filter(({ status }) => status === 'paid');
  const kept = sumOf(charges.map(({ amountMinor, refundedMinor }) => amountMinor - refundedMinor));
  const placed = await readOrderWithTickets(deps.table, deps.orgId, orderId);
  const isRefunded = placed?.memberships[0]?.status === 3;
  expect(kept, about).toBe(isRefunded ? 0 : paidMinor(plan));
  const paid = plan.instalments.filter(({ number, status }) => number > 1 && status === 'paid').length;
  const instalments = Array.from({ length: paid }, () => 'instalment');
  await expectEntries(deps, orderId, ['sale', ...instalments, ...(isRefunded ? ['refund'] : [])], about);
  const announced = (await eventsOf(deps)).filter(({ type }: { type: string }) => type === 'instalment.paid');
  expect(announced, about).toHaveLength(paid);
  expect(await findingsOf(deps.table, deps.orgId), about).toEqual([]);
}

/** The worker charges two instalments that are due, and dies. Returns whether it died. */
export async function runChargeCrash(crash: PlanCrash, method = 'pm_card_visa'): Promise<boolean> {
  const deps = newCheckoutDeps(crash.table);
  const { planId, memberId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
  const plan = await planOf(deps, planId);
  await savePlan(deps.table, deps.orgId, plan, { ...plan, paymentMethod: method });
  deps.nowUnix = plan.instalments[2]?.dueUnix ?? 0;
  const { crashPoint, crashing } = await crashingDeps(deps, crash);
  const ended = await crashPoint.resultOf(sweep(crashing).then(() => 'ended'));
  for (let run = 0; run < 4; run += 1) {
    deps.nowUnix += 61;
    await sweep(deps);
  }
  const about = `${method} ${crash.when} ${crash.at}`;
  const after = await planOf(deps, planId);
  const isPaid = method === 'pm_card_visa';
  expect(after.instalments.map(({ status }) => status).slice(1, 4), about).toEqual(
    // The first is due for a month, so it is not tried again.
    isPaid ? ['paid', 'paid', 'planned'] : ['action_required', 'failed', 'planned'],
  );
  expect((await readMember(deps.table, deps.orgId, memberId))?.overdueSinceUnix === null, about).toBe(isPaid);
  await expectConsistent(deps, planId, order.orderId, about);
  return ended === undefined;
}

/** A member pays an instalment, and the process of the request dies. Returns whether it died. */
export async function runPayCrash(crash: PlanCrash): Promise<boolean> {
  const deps = newCheckoutDeps(crash.table);
  const { planId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
  const command = { planId, number: 2, paymentMethod: 'pm_card_visa', returnUrl: null };
  const { crashPoint, crashing } = await crashingDeps(deps, crash);
  const ended = await crashPoint.resultOf(payInstalment(crashing, command));
  deps.nowUnix += 61;
  await sweep(deps);
  const about = `pay ${crash.when} ${crash.at}`;
  await expectConsistent(deps, planId, order.orderId, about);
  expect(await payInstalment(deps, command), about).toMatchObject({ outcome: 'paid' });
  expect(
    (await chargesOf(deps)).filter(({ status }) => status === 'paid'),
    about,
  ).toHaveLength(2);
  await expectConsistent(deps, planId, order.orderId, about);
  return ended === undefined;
}

/** A membership with two paid instalments is refunded, and the process dies. Returns whether it died. */
export async function runPlanRefundCrash(crash: PlanCrash): Promise<boolean> {
  const deps = newCheckoutDeps(crash.table);
  const { planId, memberId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
  await payInstalment(deps, { planId, number: 2, paymentMethod: 'pm_card_visa', returnUrl: null });
  const { crashPoint, crashing } = await crashingDeps(deps, crash);
  const request = { orderId: order.orderId, tickets: [], members: [memberId] };
  const ended = await crashPoint.resultOf(refundOrder(crashing, request));
  deps.nowUnix += 3_600;
  await sweepBaskets(deps);
  const about = `refund ${crash.when} ${crash.at}`;
  await expectConsistent(deps, planId, order.orderId, about);
  const placed = await readOrderWithTickets(deps.table, deps.orgId, order.orderId);
  const isRefunded = placed?.memberships[0]?.status === 3;
  const isClosed = (await planOf(deps, planId)).instalments.every(({ status }) => status !== 'planned');
  expect(isClosed, about).toBe(isRefunded);
  if (ended !== undefined) expect(isRefunded, about).toBe(true);
  return ended === undefined;
}

/** Somebody buys a membership in instalments, and the process of the checkout dies. Returns whether it died. */
export async function runPlanPurchaseCrash(crash: PlanCrash): Promise<boolean> {
  const deps = newCheckoutDeps(crash.table);
  const type = await givenInstalmentType(deps, { capacity: 3 });
  const basketId = await givenMembershipBasket(deps, type);
  const { crashPoint, crashing } = await crashingDeps(deps, crash);
  const ended = await crashPoint.resultOf(checkOutWith(crashing, basketId, sixMonthly));
  deps.nowUnix += 61;
  await sweepBaskets(deps);
  const about = `purchase ${crash.when} ${crash.at}`;
  const result = await checkOutWith(deps, basketId, sixMonthly);
  if (result.outcome !== 'confirmed') throw new Error(`${about}: ${JSON.stringify(result)}`);
  const [sold] = result.placed.memberships;
  await expectConsistent(deps, sold?.planId ?? 0, basketId, about);
  expect(await membersOfCustomer(deps.table, deps.orgId, result.customer?.userId ?? 0), about).toHaveLength(1);
  expect(
    (await chargesOf(deps)).filter(({ status }) => status === 'paid'),
    about,
  ).toHaveLength(1);
  return ended === undefined;
}
