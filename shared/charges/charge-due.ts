import { planHint } from '../data/plans/plans.ts';
import { renewalHint } from '../data/renewals/renewals.ts';
import { startTimeBudget } from '../platform/clock.ts';
import { startPace } from '../platform/pace.ts';
import { startSweepRun } from '../platform/sweep-run.ts';
import { chargeDueInstalments } from './charge-plan.ts';
import { startChargeStops } from './charge-stops.ts';
import { renewWhenDue } from './renew-when-due.ts';
import { type SweepDeps, type Swept, sweepDue } from './sweep-due.ts';

/** What is begun at the end may take half a minute more, if the provider does not respond. */
const workSeconds = 45;

/** Stripe allows 100 calls a second, in test mode 25, and a charge is two. The rest is left to the checkouts of a sale. */
const chargesPerSecond = 10;

/** One run of the worker: charges the instalments and renewals that are due. The next minute goes on with what is left. */
export async function chargeDue(deps: Pick<SweepDeps, 'table' | 'clock' | 'payments'>): Promise<void> {
  const { attempt, end } = startSweepRun();
  const limits = { hasTime: startTimeBudget(workSeconds), pace: startPace(chargesPerSecond) };
  const run = { ...deps, ...limits, attempt, stops: startChargeStops() };
  await sweepDue(run, [plans, renewals]);
  end();
}

const plans: Swept = {
  kind: 'plan',
  chargeWhenDue: chargeDueInstalments,
  hintOf: (orgId, planId, dueUnix) => planHint(orgId, { planId }, dueUnix),
};
const renewals: Swept = { kind: 'renewal', chargeWhenDue: renewWhenDue, hintOf: renewalHint };

/** Looks at every plan that is due. */
export const sweepPlans = (deps: SweepDeps): Promise<void> => sweepDue(deps, [plans]);

/** Looks at every membership that renews itself and is due. */
export const sweepRenewals = (deps: SweepDeps): Promise<void> => sweepDue(deps, [renewals]);
