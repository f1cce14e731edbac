import { setTimeout as sleep } from 'node:timers/promises';
import { organisationsWithReceipts } from '../../data/receipts/book.ts';
import { startTimeBudget, unixSeconds } from '../../platform/clock.ts';
import { countOutcome } from '../../platform/log.ts';
import { startSweepRun } from '../../platform/sweep-run.ts';
import { WorkList } from '../../platform/work-list.ts';
import { forgetOldBuyers } from './forget-old-buyers.ts';
import { type IssueDeps, issueReceipts, waitingSince } from './issue-receipts.ts';

const receiptsWorker = 'issue-receipts';

/** Ends before the function's timeout, and before the lease of a book. */
const workSeconds = 45;
/** A first look within this time leaves room for the pause and a second one. */
const quickSeconds = 10;
/** Organisations that are worked on at once. */
const concurrency = 10;

/**
 * One run of the worker. It looks twice, half a minute apart, so that a document follows its sale within a minute. An organisation with a
 * backlog goes to the end of the list after each visit, so nobody waits behind it.
 */
export async function issueAllReceipts(deps: Pick<IssueDeps, 'table' | 'clock'>, pauseMs = 30_000): Promise<void> {
  const { attempt, end } = startSweepRun();
  const run = { ...deps, hasTime: startTimeBudget(workSeconds) };
  const unfinished = new Set<string>();
  let organisations = 0;
  const look = async (): Promise<void> => {
    const list = new WorkList<string>(concurrency, run.hasTime, async (orgId) => {
      const outcome = await attempt({ ref: [orgId] }, () => issueReceipts(run, orgId));
      if (outcome === 'done') unfinished.delete(orgId);
      if (outcome === 'more') list.add(orgId);
    });
    for await (const orgId of organisationsWithReceipts(deps.table)) {
      organisations += 1;
      unfinished.add(orgId);
      list.add(orgId);
    }
    await list.settled();
  };
  // A first look at a backlog takes longer, and then the next run is soon enough.
  const isQuick = startTimeBudget(quickSeconds);
  await look();
  if (organisations > 0 && isQuick()) {
    await sleep(pauseMs);
    await look();
  }
  for await (const orgId of organisationsWithReceipts(deps.table)) {
    if (run.hasTime()) await attempt({ ref: [orgId] }, () => forgetOldBuyers(deps, orgId));
  }
  const nowUnix = unixSeconds(deps.clock);
  const ages = [...unfinished].map(async (orgId) => nowUnix - ((await waitingSince(run, orgId)) ?? nowUnix));
  countOutcome(receiptsWorker, 'OldestEntrySeconds', Math.max(0, ...(await Promise.all(ages))));
  end();
}
