import * as v from 'valibot';
import type { JobFailureCode, JobRecord } from '../../domain/jobs/job.ts';
import { jobKey } from '../table/keys.ts';
import { carried, openEnum, row, storedEnum } from '../table/row.ts';

const StoredJob = row(
  {
    jobId: v.string(),
    task: v.variant('kind', [
      v.object({
        kind: v.literal('cancel-event'),
        eventId: v.number(),
        refund: storedEnum(['all', 'none'], 'none'),
        reason: v.nullable(v.string()),
      }),
      v.object({ kind: v.literal('enter-seats'), eventIds: v.array(v.number()) }),
      v.object({ kind: v.literal('refresh-members'), typeIds: v.array(v.number()) }),
      v.object({ kind: v.literal('rename-venue'), venueId: v.string() }),
    ]),
    status: storedEnum(['running', 'done', 'failed'], 'failed'),
    total: v.number(),
    done: v.number(),
    failed: v.number(),
    createdUnix: v.number(),
    finishedUnix: v.nullable(v.number()),
    cursor: v.string(),
    movedUnix: v.number(),
    failures: v.array(v.object({ orderId: v.number(), code: openEnum<JobFailureCode>() })),
    dueUnix: v.number(),
    requestId: v.nullable(v.string()),
    version: v.number(),
  },
  ['writeId'],
);

export function parseJob(item: unknown): JobRecord {
  return v.parse(StoredJob, item);
}

export function jobItem(orgId: string, job: JobRecord): Record<string, unknown> {
  return { ...carried(job), ...job, ...jobKey(orgId, job.jobId) };
}
