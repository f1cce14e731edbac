import { planHint } from '../data/plans/plans.ts';
import { type FoundHint, overdueHints, putHint, removeHint } from '../data/table/due-hints.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { SweepAttempt } from '../platform/sweep-run.ts';
import { WorkList } from '../platform/work-list.ts';
import { lookAtPlan } from './charge-plan.ts';
import type { ChargeDeps } from './deps.ts';

/** A provider that does not respond delays this many plans, not all. */
const concurrency = 10;

interface SweepDeps extends Omit<ChargeDeps, 'orgId' | 'requestId'> {
  readonly hasTime: () => boolean;
  readonly pace: () => Promise<void>;
  readonly attempt: SweepAttempt;
}

/** Looks at every plan that is due. The hint is replaced after its plan is written, so a crash leaves it due. */
export async function sweepPlans({ attempt, hasTime, ...deps }: SweepDeps): Promise<void> {
  const { table, clock } = deps;
  const plans = new WorkList<FoundHint>(concurrency, hasTime, async (hint) => {
    const [orgId, id] = hint.ref;
    const planId = Number(id);
    await attempt(hint, async () => {
      const nextUnix = await lookAtPlan({ ...deps, orgId, requestId: undefined }, planId);
      if (nextUnix !== undefined) await putHint(table, planHint(orgId, { planId }, nextUnix));
      if (nextUnix !== hint.dueUnix) await removeHint(table, hint);
    });
  });
  for await (const hints of overdueHints(table, 'plan', unixSeconds(clock))) {
    for (const hint of hints) plans.add(hint);
  }
  await plans.settled();
}
