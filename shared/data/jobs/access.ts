import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { tableAccess } from '../table/access.ts';

const readJob = { JOB: ['GetItem'] } satisfies Access;
const moveJob = { DUE: ['DeleteItem', 'PutItem'], JOB: ['PutItem'] } satisfies Access;

/** What the functions of this folder do to the table. */
export const jobsAccess = {
  readJob,
  jobPuts: { DUE: ['PutItem'], JOB: ['PutItem'] },
  moveJob,
  runJobs: [tableAccess.overdueHints, tableAccess.removeHint, readJob, moveJob],
} satisfies FunctionAccess;
