import { reasonOf } from './failure-reason.ts';
import { Fault } from './fault.ts';
import { log } from './log.ts';

/** Does one thing of many; undefined when it failed. `ref` names it, the organisation first. */
export type SweepAttempt = <Result>(ref: readonly string[], work: () => Promise<Result>) => Promise<Result | undefined>;

/** A round of a sweeper, in which what fails is told and stays due, and keeps nothing else from its turn. */
export function startSweepRun(): { readonly attempt: SweepAttempt; end(): void } {
  let failed = 0;
  return {
    async attempt(ref, work) {
      try {
        return await work();
      } catch (error) {
        failed += 1;
        const [orgId, ...rest] = ref;
        log.error('An item could not be swept', { org_id: orgId, ref: rest, ...reasonOf(error) });
        return undefined;
      }
    },
    /** Fails if anything did, so that the alarm on the function's errors is raised. */
    end() {
      if (failed > 0) throw new Fault(`${failed} items could not be swept.`);
    },
  };
}
