import {
  type DueHint,
  dueSinceUnix,
  type FoundHint,
  overdueHints,
  putHint,
  removeHint,
} from '../data/table/due-hints.ts';
import { refusedPauseSeconds, retryPauseSeconds } from '../domain/payments/retry-pause.ts';
import { unixSeconds } from '../platform/clock.ts';
import { countOutcome } from '../platform/log.ts';
import type { SweepAttempt } from '../platform/sweep-run.ts';
import { WorkList } from '../platform/work-list.ts';
import { chargingWorker } from './charge-stops.ts';
import type { LookDeps, Looked } from './deps.ts';

/** A provider that does not respond delays this many, not all. */
const concurrency = 10;

export interface SweepDeps extends Omit<LookDeps, 'orgId' | 'requestId'> {
  readonly hasTime: () => boolean;
  readonly attempt: SweepAttempt;
}

/** What is looked at. */
interface Swept {
  readonly kind: 'plan' | 'renewal';
  look(deps: LookDeps, id: number): Promise<Looked>;
  hintOf(orgId: string, id: number, dueUnix: number): DueHint;
}

/**
 * Looks at everything that is due. A hint is replaced after its row is written, so a crash leaves it due. What fails or is refused is
 * looked at again after a pause that grows, and its hint keeps since when it is due.
 */
export async function sweepDue({ attempt, hasTime, ...deps }: SweepDeps, { kind, look, hintOf }: Swept): Promise<void> {
  const { table, clock } = deps;
  const left = new Set<FoundHint>();
  const work = new WorkList<FoundHint>(concurrency, hasTime, async (hint) => {
    const [orgId, ref] = hint.ref;
    const id = Number(ref);
    const sinceUnix = dueSinceUnix(hint);
    const replace = async (nextUnix: number | undefined, more?: { readonly sinceUnix: number }): Promise<void> => {
      if (nextUnix !== undefined) await putHint(table, hintOf(orgId, id, nextUnix), more);
      if (nextUnix !== hint.dueUnix) await removeHint(table, hint);
    };
    const delay = async (pauseOf: (ageSeconds: number) => number): Promise<void> => {
      const nowUnix = unixSeconds(clock);
      await replace(nowUnix + pauseOf(nowUnix - sinceUnix), { sinceUnix });
    };
    await attempt(hint, async () => {
      try {
        const looked = await look({ ...deps, orgId, requestId: undefined }, id);
        if (looked === 'refused') await delay(refusedPauseSeconds);
        else if (looked === 'unsettled') await delay(retryPauseSeconds);
        else if (looked !== 'stopped') {
          await replace(looked.nextUnix);
          left.delete(hint);
        }
      } catch (error) {
        await delay(refusedPauseSeconds);
        throw error;
      }
    });
  });
  for await (const hints of overdueHints(table, kind, unixSeconds(clock))) {
    for (const hint of hints) {
      left.add(hint);
      work.add(hint);
    }
  }
  await work.settled();
  const agesSeconds = [...left].map((hint) => unixSeconds(clock) - dueSinceUnix(hint));
  countOutcome(chargingWorker, 'OldestDueSeconds', Math.max(0, ...agesSeconds));
}
