import * as v from 'valibot';
import { jobsAccess } from '../../data/jobs/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { Job } from '../schemas/job.ts';

export const retrieveJob = defineOperation({
  id: 'retrieve-job',
  resource: 'jobs',
  summary: 'Retrieve a job',
  description: `Returns how far a job is: work on many objects that an operation such as cancel-event began. Its progress is (done + failed) of
total. Of a cancelled event, \`cancel_job_id\` names it. A job begins within two minutes, and goes on until it has worked on every object.`,
  method: 'GET',
  paths: ['/v1/jobs/{job_id}'],
  auth: { kind: 'metered', scope: 'read', orScope: 'catalogue:write' },
  input: { params: v.strictObject({ job_id: field(v.string(), 'Unique identifier of the job.') }) },
  output: { schema: Job },
  effects: { access: [jobsAccess.readJob] },
});
