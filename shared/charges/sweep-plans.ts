import { planHint } from '../data/plans/plans.ts';
import { lookAtPlan } from './charge-plan.ts';
import { type SweepDeps, sweepDue } from './sweep-due.ts';

/** Looks at every plan that is due. */
export function sweepPlans(deps: SweepDeps): Promise<void> {
  const hintOf = (orgId: string, planId: number, dueUnix: number) => planHint(orgId, { planId }, dueUnix);
  return sweepDue(deps, { kind: 'plan', look: lookAtPlan, hintOf });
}
