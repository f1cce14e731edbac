import type { JobRecord } from '../domain/jobs/job.ts';
import type { Job } from '../operations/schemas/job.ts';

export function jobResource(job: JobRecord): Job {
  return {
    job_id: job.jobId,
    kind: job.task.kind,
    status: job.status,
    total: job.total,
    done: job.done,
    failed: job.failed,
    created: job.createdUnix,
    finished: job.finishedUnix,
    report: {
      failures: job.failures.map(({ orderId, code }) => ({ order_id: orderId, code })),
      failures_omitted: job.failed - job.failures.length,
    },
  };
}
