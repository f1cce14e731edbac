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
import { workByTurns } from '../platform/work-by-turns.ts';
import { chargingWorker } from './charge-stops.ts';
import type { DueDeps, DueOutcome } from './deps.ts';

/** An organisation whose provider does not respond delays this many of its own, and leaves room for others. */
const limits = { concurrency: 30, perList: 10 };

export interface SweepDeps extends Omit<DueDeps, 'orgId' | 'requestId'> {
  readonly hasTime: () => boolean;
  readonly attempt: SweepAttempt;
}

/** What is looked at. */
export interface Swept {
  readonly kind: 'plan' | 'renewal';
  chargeWhenDue(deps: DueDeps, id: number): Promise<DueOutcome>;
  hintOf(orgId: string, id: number, dueUnix: number): DueHint;
}

/** A hint, and how its kind is looked at. */
interface Due {
  readonly swept: Swept;
  readonly hint: FoundHint;
}

/**
 * Looks at everything that is due, organisations and kinds by turns: nobody waits behind the thousands of another club. A hint is
 * replaced after its row is written, so a crash leaves it due. What fails or is refused is looked at again after a pause that grows,
 * and its hint keeps since when it is due.
 */
export async function sweepDue({ attempt, hasTime, ...deps }: SweepDeps, kinds: readonly Swept[]): Promise<void> {
  const { clock } = deps;
  const found = (await Promise.all(kinds.map((swept) => readDue(deps, swept)))).flat();
  const left = new Set(found);
  await workByTurns(listsOf(found), limits, hasTime, async (due) => {
    await attempt(due.hint, async () => {
      if (await chargeAndReschedule(deps, due)) left.delete(due);
    });
  });
  const agesSeconds = [...left].map(({ hint }) => unixSeconds(clock) - dueSinceUnix(hint));
  countOutcome(
    chargingWorker,
    'OldestDueSeconds',
    agesSeconds.reduce((oldest, age) => Math.max(oldest, age), 0),
  );
}

async function readDue({ table, clock }: Pick<SweepDeps, 'table' | 'clock'>, swept: Swept): Promise<Due[]> {
  const due: Due[] = [];
  for await (const hints of overdueHints(table, swept.kind, unixSeconds(clock))) {
    for (const hint of hints) due.push({ swept, hint });
  }
  return due;
}

/** One list for each kind of each organisation. */
function listsOf(due: readonly Due[]): Iterable<readonly Due[]> {
  const lists = new Map<string, Due[]>();
  for (const each of due) {
    const { kind, ref } = each.hint;
    const name = `${kind} ${ref[0]}`;
    const list = lists.get(name) ?? [];
    if (list.length === 0) lists.set(name, list);
    list.push(each);
  }
  return lists.values();
}

/** Whether it was dealt with. Throws what charging throws. */
async function chargeAndReschedule(
  deps: Omit<SweepDeps, 'attempt' | 'hasTime'>,
  { hint, swept: { chargeWhenDue, hintOf } }: Due,
): Promise<boolean> {
  const { table, clock } = deps;
  const [orgId, ref] = hint.ref;
  const id = Number(ref);
  const sinceUnix = dueSinceUnix(hint);
  const replace = async (nextUnix: number | undefined, more?: { readonly sinceUnix: number }): Promise<void> => {
    if (nextUnix !== undefined) await putHint(table, hintOf(orgId, id, nextUnix), more);
    if (nextUnix !== hint.dueUnix) await removeHint(table, hint);
  };
  const delay = async (pauseOf: (ageSeconds: number) => number): Promise<false> => {
    const nowUnix = unixSeconds(clock);
    await replace(nowUnix + pauseOf(nowUnix - sinceUnix), { sinceUnix });
    return false;
  };
  try {
    const outcome = await chargeWhenDue({ ...deps, orgId, requestId: undefined }, id);
    if (outcome === 'refused') return await delay(refusedPauseSeconds);
    if (outcome === 'unsettled') return await delay(retryPauseSeconds);
    if (outcome === 'stopped') return false;
    await replace(outcome.nextUnix);
    return true;
  } catch (error) {
    await delay(refusedPauseSeconds);
    throw error;
  }
}
