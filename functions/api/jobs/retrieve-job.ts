import { readJob } from '../../../shared/data/jobs/jobs.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { jobResource } from '../../../shared/mappers/job.ts';
import { retrieveJob } from '../../../shared/operations/jobs/retrieve-job.ts';

export const handle: Handle<typeof retrieveJob> = async ({ params }, { caller, table }) => {
  const job = await readJob(table, caller.orgId, params.job_id);
  if (job === undefined) throw notFound('job');
  return jobResource(job);
};

export const handler = pipeline(retrieveJob, handle);
