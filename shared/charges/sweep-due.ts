import { type DueHint, type FoundHint, overdueHints, putHint, removeHint } from '../data/table/due-hints.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { SweepAttempt } from '../platform/sweep-run.ts';
import { WorkList } from '../platform/work-list.ts';
import type { LookDeps } from './deps.ts';

/** A provider that does not respond delays this many, not all. */
const concurrency = 10;

export interface SweepDeps extends Omit<LookDeps, 'orgId' | 'requestId'> {
  readonly hasTime: () => boolean;
  readonly attempt: SweepAttempt;
}

/** What is looked at, and returns when to look again; undefined if never. */
interface Swept {
  readonly kind: 'plan' | 'renewal';
  look(deps: LookDeps, id: number): Promise<number | undefined>;
  hintOf(orgId: string, id: number, dueUnix: number): DueHint;
}

/** Looks at everything that is due. A hint is replaced after its row is written, so a crash leaves it due. */
export async function sweepDue({ attempt, hasTime, ...deps }: SweepDeps, { kind, look, hintOf }: Swept): Promise<void> {
  const { table, clock } = deps;
  const work = new WorkList<FoundHint>(concurrency, hasTime, async (hint) => {
    const [orgId, ref] = hint.ref;
    const id = Number(ref);
    await attempt(hint, async () => {
      const nextUnix = await look({ ...deps, orgId, requestId: undefined }, id);
      if (nextUnix !== undefined) await putHint(table, hintOf(orgId, id, nextUnix));
      if (nextUnix !== hint.dueUnix) await removeHint(table, hint);
    });
  });
  for await (const hints of overdueHints(table, kind, unixSeconds(clock))) {
    for (const hint of hints) work.add(hint);
  }
  await work.settled();
}
