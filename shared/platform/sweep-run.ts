import { reasonOf } from './failure-reason.ts';
import { Fault } from './fault.ts';
import { log } from './log.ts';

/** Processes one item of many. Returns undefined when it failed. `ref` identifies the item, the organisation first. */
export type SweepAttempt = <Result>(ref: readonly string[], work: () => Promise<Result>) => Promise<Result | undefined>;

/** One run of a sweeper. An item that fails is logged and stays due, and does not stop the others. */
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
    /** Throws if any item failed, so that the alarm on the function's errors is raised. */
    end() {
      if (failed > 0) throw new Fault(`${failed} items could not be swept.`);
    },
  };
}
