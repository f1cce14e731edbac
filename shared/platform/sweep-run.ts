import { reasonOf } from './failure-reason.ts';
import { Fault } from './fault.ts';
import { log } from './log.ts';
import { type RequestTrace, traceFields } from './request-trace.ts';

/** An item of a sweep: what identifies it, the organisation first, and the request that it belongs to, if that is known. */
export interface SweptItem extends RequestTrace {
  readonly ref: readonly string[];
}

/** Processes one item of many. Returns undefined when it failed. Every log entry of the work has the item's request. */
export type SweepAttempt = <Result>(item: SweptItem, work: () => Promise<Result>) => Promise<Result | undefined>;

/** One run of a sweeper. An item that fails is logged and stays due, and does not stop the others. */
export function startSweepRun(): { readonly attempt: SweepAttempt; end(): void } {
  let failed = 0;
  return {
    async attempt(item, work) {
      try {
        return await log.within(traceFields(item), work);
      } catch (error) {
        failed += 1;
        const [orgId, ...rest] = item.ref;
        const about = { ...traceFields(item), org_id: orgId, ref: rest };
        log.error('An item could not be swept', { ...about, ...reasonOf(error) });
        return undefined;
      }
    },
    /** Throws if any item failed, so the alarm on the function's errors is raised. */
    end() {
      if (failed > 0) throw new Fault(`${failed} items could not be swept.`);
    },
  };
}
