import { overdueHints, putHint, removeHint } from '../../data/table/due-hints.ts';
import { listHint } from '../../data/waiting-list/closed-stock.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { reasonOf } from '../../platform/failure-reason.ts';
import { log } from '../../platform/log.ts';
import { serveWaitingList } from './serve-waiting-list.ts';
import type { ListRef, WaitingListDeps } from './waiting-list-deps.ts';

/**
 * Serves lists whose stock has changed, for the stream's worker. What fails or takes too long is left to the sweeper, a minute later.
 */
export async function serveWaitingLists(deps: WaitingListDeps, lists: readonly ListRef[]): Promise<void> {
  for (const list of lists) {
    const { orgId, eventId } = list;
    const laterUnix = unixSeconds(deps.clock);
    try {
      if (deps.hasTime()) {
        const { nextUnix } = await serveWaitingList(deps, list);
        // The hint of the list stays as it is, unless there is something to do now.
        if (nextUnix !== laterUnix) continue;
      }
    } catch (error) {
      log.error('A waiting list could not be served', { org_id: orgId, event_id: eventId, ...reasonOf(error) });
    }
    await putHint(deps.table, listHint(orgId, eventId, laterUnix));
  }
}

/** Serves the lists that are due. Those that fail stay due. Returns how many did. */
export async function sweepWaitingLists(deps: WaitingListDeps): Promise<number> {
  const { table, clock, hasTime } = deps;
  let failed = 0;
  for await (const hints of overdueHints(table, 'waiting', unixSeconds(clock))) {
    for (const hint of hints) {
      if (!hasTime()) return failed;
      const [orgId, id] = hint.ref;
      const eventId = Number(id);
      try {
        const { nextUnix } = await serveWaitingList(deps, { orgId, eventId });
        // First the next hint: a crash in between looks twice.
        if (nextUnix !== undefined) await putHint(table, listHint(orgId, eventId, nextUnix));
        if (nextUnix !== hint.dueUnix) await removeHint(table, hint);
      } catch (error) {
        log.error('A waiting list could not be served', { org_id: orgId, event_id: eventId, ...reasonOf(error) });
        failed += 1;
      }
    }
  }
  return failed;
}
