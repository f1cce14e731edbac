import { basketHint } from '../data/baskets/baskets.ts';
import { type FoundHint, overdueHints, putHint, removeHint } from '../data/table/due-hints.ts';
import { unixSeconds } from '../platform/clock.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import { traceFields } from '../platform/request-trace.ts';
import type { CheckoutDeps } from './deps.ts';
import { sweepBasket } from './sweep-basket.ts';

/** The schedule runs each minute, and two concurrent sweepers would only do the same work twice. */
const maxRunMs = 40_000;
/** A provider that does not respond delays this many baskets, not all. */
const concurrency = 10;

type SweepDeps = Omit<CheckoutDeps, 'orgId' | 'requestId'>;

export interface Swept {
  readonly done: number;
  readonly failed: number;
}

/** Sweeps every basket that is due. A basket that fails stays due for the next minute. */
export async function sweepBaskets(deps: SweepDeps): Promise<Swept> {
  const { table, clock } = deps;
  const untilMs = clock.nowMs() + maxRunMs;
  let done = 0;
  let failed = 0;
  for await (const hints of overdueHints(table, 'basket', unixSeconds(clock))) {
    const remaining = hints.values();
    const work = async (): Promise<void> => {
      for (const hint of remaining) {
        if (clock.nowMs() >= untilMs) return;
        if (await sweepHint(deps, hint)) done += 1;
        else failed += 1;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (clock.nowMs() >= untilMs) break;
  }
  return { done, failed };
}

async function sweepHint(deps: SweepDeps, hint: FoundHint): Promise<boolean> {
  const [orgId, id] = hint.ref;
  const basketId = Number(id);
  try {
    const nextUnix = await sweepBasket({ ...deps, orgId, requestId: undefined }, basketId);
    if (nextUnix !== undefined) await putHint(deps.table, basketHint(orgId, { basketId }, nextUnix));
    if (nextUnix !== hint.dueUnix) await removeHint(deps.table, hint);
    return true;
  } catch (error) {
    log.error('A basket could not be swept', {
      ...traceFields(hint),
      org_id: orgId,
      basket_id: basketId,
      ...reasonOf(error),
    });
    return false;
  }
}
