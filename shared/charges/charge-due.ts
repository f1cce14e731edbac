import { planHint } from '../data/plans/plans.ts';
import { renewalHint } from '../data/renewals/renewals.ts';
import { startTimeBudget } from '../platform/clock.ts';
import { startPace } from '../platform/pace.ts';
import { startSweepRun } from '../platform/sweep-run.ts';
import { lookAtPlan } from './charge-plan.ts';
import { startChargeStops } from './charge-stops.ts';
import { lookAtRenewal } from './look-at-renewal.ts';
import { type SweepDeps, sweepDue } from './sweep-due.ts';

/** What is begun at the end may take half a minute, if the provider does not respond. */
const workSeconds = 25;

/** Stripe allows 100 calls a second, in test mode 25, and a charge is two. The rest is left to the checkouts of a sale. */
const chargesPerSecond = 10;

/** One run of the worker: charges the instalments and renewals that are due. The next minute goes on with what is left. */
export async function chargeDue(deps: Pick<SweepDeps, 'table' | 'clock' | 'payments'>): Promise<void> {
  const { attempt, end } = startSweepRun();
  const limits = { hasTime: startTimeBudget(workSeconds), pace: startPace(chargesPerSecond) };
  const run = { ...deps, ...limits, attempt, stops: startChargeStops() };
  await sweepPlans(run);
  await sweepRenewals(run);
  end();
}

/** Looks at every plan that is due. */
export function sweepPlans(deps: SweepDeps): Promise<void> {
  const hintOf = (orgId: string, planId: number, dueUnix: number) => planHint(orgId, { planId }, dueUnix);
  return sweepDue(deps, { kind: 'plan', look: lookAtPlan, hintOf });
}

/** Looks at every membership that renews itself and is due. */
export function sweepRenewals(deps: SweepDeps): Promise<void> {
  return sweepDue(deps, { kind: 'renewal', look: lookAtRenewal, hintOf: renewalHint });
}
