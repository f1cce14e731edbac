import { expect } from 'vitest';
import { sweepPlans } from '../../shared/charges/charge-due.ts';
import { startChargeStops } from '../../shared/charges/charge-stops.ts';
import type { TypeRecord } from '../../shared/data/membership/config-rows.ts';
import { readPlan } from '../../shared/data/plans/plans.ts';
import type { Holder } from '../../shared/domain/baskets/line-item.ts';
import type { PlanRecord } from '../../shared/domain/plans/plan.ts';
import type { SweepAttempt } from '../../shared/platform/sweep-run.ts';
import type { CheckoutCommand } from '../../shared/sales/checkout/check-out.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenConfig, paymentOption } from '../../tools/fixtures/membership.ts';
import { checkOutWith, type TestCheckoutDeps } from './baskets.ts';
import { givenMembershipBasket, givenType } from './memberships.ts';

export const sixMonthly = {
  payment: { optionId: 'six', hasConsent: true, consentText: 'Charge my card every month.' },
};

/** A club that sells a membership for 240.50, at once or in six instalments. */
export async function givenInstalmentType(
  deps: TestCheckoutDeps,
  fields: Partial<TypeRecord> = {},
): Promise<TypeRecord> {
  await givenOrganisation(deps.table, deps.orgId);
  return givenTypeInInstalments(deps, fields);
}

/** The type of a club that exists. */
export async function givenTypeInInstalments(
  { table, orgId }: TestCheckoutDeps,
  fields: Partial<TypeRecord> = {},
): Promise<TypeRecord> {
  const type = await givenType(table, orgId, fields);
  await givenConfig(table, orgId, paymentOption('once'), paymentOption('six', { numberOfInstalments: 6, orderBy: 1 }));
  return type;
}

export async function buyInInstalments(
  deps: TestCheckoutDeps,
  type: TypeRecord,
  { holders = [], ...command }: Partial<CheckoutCommand> & { readonly holders?: readonly Holder[] } = {},
) {
  const basketId = await givenMembershipBasket(deps, type, holders);
  const result = await checkOutWith(deps, basketId, { ...sixMonthly, ...command });
  if (result.outcome !== 'confirmed') throw new Error(JSON.stringify(result));
  const [first] = result.placed.memberships;
  return { ...result.placed, planId: first?.planId ?? 0, memberId: first?.memberId ?? 0 };
}

const failing: SweepAttempt = (_item, work) => work();

/** Runs the worker once, now. A failure is thrown. */
export async function sweep(deps: TestCheckoutDeps): Promise<void> {
  const { table, clock, payments } = deps;
  const stops = startChargeStops();
  await sweepPlans({ table, clock, payments, hasTime: () => true, pace: async () => {}, attempt: failing, stops });
}

export async function planOf({ table, orgId }: TestCheckoutDeps, planId: number): Promise<PlanRecord> {
  const plan = await readPlan(table, orgId, planId);
  if (plan === undefined) throw new Error('The plan is missing.');
  return plan;
}

export const statusesOf = ({ instalments }: PlanRecord): string[] => instalments.map(({ status }) => status);

/** Moves the clock to when an instalment is due, and runs the worker. */
export async function sweepWhenDue(deps: TestCheckoutDeps, planId: number, number: number, laterDays = 0) {
  const plan = await planOf(deps, planId);
  deps.nowUnix = (plan.instalments[number - 1]?.dueUnix ?? 0) + laterDays * 86_400;
  await sweep(deps);
  const after = await planOf(deps, planId);
  expect(after.charge).toBeNull();
  return after;
}
