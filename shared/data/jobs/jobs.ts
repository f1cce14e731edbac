import type { JobRecord } from '../../domain/jobs/job.ts';
import { type DueHint, dueHintItem, dueHintKey } from '../table/due-hints.ts';
import { getItem } from '../table/get-item.ts';
import { jobKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { putAlone, type TransactItem, transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { jobItem, parseJob } from './row.ts';

export async function readJob(table: Table, orgId: string, jobId: string): Promise<JobRecord | undefined> {
  const item = await getItem(table, jobKey(orgId, jobId), { consistent: true });
  return item === undefined ? undefined : parseJob(item);
}

/** A new job and its hint, for the transaction of the change that begins it. */
export function jobPuts(table: Table, orgId: string, job: JobRecord): readonly TransactItem[] {
  return [jobPut(table, orgId, undefined, job), hintPut(table, orgId, job)];
}

/**
 * Writes a job on the condition that no other worker has. Its hint moves with it and ends with it, so a running job has exactly one.
 * Returns undefined if another worker was first.
 */
export async function moveJob(
  table: Table,
  orgId: string,
  before: JobRecord,
  wanted: JobRecord,
): Promise<JobRecord | undefined> {
  const job = { ...wanted, version: before.version + 1 };
  const put = jobPut(table, orgId, before, job);
  const isDueLater = job.status !== 'running' || job.dueUnix !== before.dueUnix;
  if (!isDueLater) return (await putAlone(table, put.Put)) ? job : undefined;
  const refused = await transact(table, [
    put,
    { Delete: { TableName: table.name, Key: dueHintKey(jobHint(orgId, before)) } },
    ...(job.status === 'running' ? [hintPut(table, orgId, job)] : []),
  ]);
  return refused.length === 0 ? job : undefined;
}

function jobHint(orgId: string, { jobId, dueUnix }: JobRecord): DueHint {
  return { kind: 'job', ref: [orgId, jobId], dueUnix };
}

function jobPut(table: Table, orgId: string, before: JobRecord | undefined, job: JobRecord) {
  return { Put: { TableName: table.name, Item: jobItem(orgId, job), ...unchangedSince(before) } };
}

function hintPut(table: Table, orgId: string, job: JobRecord): TransactItem {
  const requestId = job.requestId ?? undefined;
  return { Put: { TableName: table.name, Item: dueHintItem(jobHint(orgId, job), { requestId }) } };
}
