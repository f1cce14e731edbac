import { finished, type JobPage, type JobRecord, withPage } from '../../domain/jobs/job.ts';
import { type Clock, unixSeconds } from '../../platform/clock.ts';
import type { SweepAttempt } from '../../platform/sweep-run.ts';
import { WorkList } from '../../platform/work-list.ts';
import { type FoundHint, overdueHints, removeHint } from '../table/due-hints.ts';
import type { Table } from '../table/table.ts';
import { moveJob, readJob } from './jobs.ts';

/**
 * What a step of a job did. `page`: it worked on the next rows. `waiting`: the next row cannot be worked on now. `complete`:
 * there are no more rows.
 */
export type JobStep =
  | { readonly outcome: 'page'; readonly page: JobPage }
  | { readonly outcome: 'waiting' | 'complete'; readonly page?: never };

export interface JobDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly hasTime: () => boolean;
  /** Waits a second. */
  readonly wait: () => Promise<void>;
  readonly attempt: SweepAttempt;
  /** Works on the next rows of a job. It is called again for the same rows after a crash. */
  readonly step: (orgId: string, job: JobRecord) => Promise<JobStep>;
}

/** Longer than the worker may run: after the lease, the process that took it has ended. */
const leaseSeconds = 120;
const pauseSeconds = 60;
/** A run waits for a job that is due so soon: the event that began the run is faster than the job may be. */
const soonSeconds = 20;
/** How many jobs are worked on at once. They share the time and the pace of one run. */
const concurrency = 5;

/** Works on every job that is due now or soon, until the time is over. */
export async function runJobs(deps: JobDeps): Promise<void> {
  const jobs = new WorkList<FoundHint>(concurrency, deps.hasTime, async (hint) => {
    if (await isDueAfterWaiting(deps, hint)) await deps.attempt(hint, () => runJob(deps, hint));
  });
  for await (const hints of overdueHints(deps.table, 'job', unixSeconds(deps.clock) + soonSeconds)) {
    for (const hint of hints) jobs.add(hint);
  }
  await jobs.settled();
}

async function isDueAfterWaiting({ clock, hasTime, wait }: JobDeps, { dueUnix }: FoundHint): Promise<boolean> {
  const isDue = () => unixSeconds(clock) >= dueUnix;
  for (let waited = 0; waited < soonSeconds && !isDue() && hasTime(); waited += 1) await wait();
  return isDue();
}

/**
 * Takes the lease of a job and works on it. Each page is recorded in one write, with the position after it: a process that dies
 * repeats at most one page, and whatever works on a row must be safe to repeat.
 */
async function runJob({ table, clock, hasTime, step }: JobDeps, hint: FoundHint): Promise<void> {
  const [orgId, jobId = ''] = hint.ref;
  const found = await readJob(table, orgId, jobId);
  if (found === undefined || found.status !== 'running' || found.dueUnix !== hint.dueUnix) {
    await removeHint(table, hint);
    return;
  }
  let job = await moveJob(table, orgId, found, { ...found, dueUnix: unixSeconds(clock) + leaseSeconds });
  while (job !== undefined && hasTime()) {
    const { outcome, page } = await step(orgId, job);
    const nowUnix = unixSeconds(clock);
    if (page === undefined) {
      const ended = outcome === 'complete' ? finished(job, nowUnix) : { ...job, dueUnix: nowUnix + pauseSeconds };
      await moveJob(table, orgId, job, ended);
      return;
    }
    job = await moveJob(table, orgId, job, withPage(job, page, nowUnix));
  }
  // Undefined: the lease was over, and another worker has gone on.
  if (job !== undefined) await moveJob(table, orgId, job, { ...job, dueUnix: unixSeconds(clock) });
}
