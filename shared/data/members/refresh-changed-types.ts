import type { JobRecord, RefreshMembersTask } from '../../domain/jobs/job.ts';
import { planMembers } from '../../domain/members/filters.ts';
import type { JobStep } from '../jobs/run.ts';
import { type MembershipConfig, readMembershipConfig } from '../membership/config.ts';
import { affectedTypes, memberTypeCopy } from '../membership/config-changes.ts';
import { retryUntil } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { readChunk } from './read.ts';
import { refreshMember, refreshMembersOfType } from './refresh.ts';

const pageSize = 100;
const changesTooOften = 'The membership configuration changes too often to update its members. Try again.';

/**
 * Updates members that were written from an earlier configuration: rewrites those that are affected by later changes, and
 * returns the current configuration. A change after that read updates the written members itself.
 */
export function refreshMembersSince(table: Table, orgId: string, config: MembershipConfig): Promise<MembershipConfig> {
  let before = config;
  return retryUntil(changesTooOften, async () => {
    const now = await readMembershipConfig(table, orgId, { consistent: true });
    const affected = affectedTypes(before, now);
    if (affected.length === 0) return now;
    for (const type of affected) await refreshMembersOfType(table, orgId, type);
    before = now;
    return undefined;
  });
}

interface RefreshDeps {
  readonly table: Table;
  readonly orgId: string;
  /** Waits until the next member may be written: a sale writes to the same table. */
  readonly pace: () => Promise<void>;
}

/** The step of a job that rewrites the members of changed types. The cursor says which type, and which of its members was last. */
export async function refreshNextMembers(
  deps: RefreshDeps,
  { task, cursor }: JobRecord<RefreshMembersTask>,
): Promise<JobStep> {
  const { table, orgId } = deps;
  const { index, after } = positionOf(cursor);
  const typeId = task.typeIds[index];
  if (typeId === undefined) return { outcome: 'complete' };
  const { rows, isLast } = await readChunk(table, { orgId, plan: planMembers({ typeId }), after, limit: pageSize });
  const memberIds = rows.map(({ member }) => member.memberId);
  await refreshPage(deps, typeId, memberIds);
  const next = isLast ? cursorOf(index + 1, '') : cursorOf(index, rows.at(-1)?.sortKey ?? '');
  return { outcome: 'page', page: { cursor: next, done: memberIds.length, failures: [] } };
}

/**
 * Writes the current copy to the members. If the configuration changes meanwhile, they are written again: the job of that change
 * may have passed them already.
 */
function refreshPage({ table, orgId, pace }: RefreshDeps, typeId: number, memberIds: readonly number[]): Promise<true> {
  return retryUntil(changesTooOften, async () => {
    const before = await readMembershipConfig(table, orgId, { consistent: true });
    const type = before.types.get(typeId);
    if (type === undefined) return true;
    const copy = memberTypeCopy(before, type);
    const writes = memberIds.map(async (memberId) => {
      await pace();
      await refreshMember(table, orgId, memberId, { type: copy });
    });
    await Promise.all(writes);
    const now = await readMembershipConfig(table, orgId, { consistent: true });
    return affectedTypes(before, now).some((affected) => affected.typeId === typeId) ? undefined : true;
  });
}

const separator = ' ';

function cursorOf(index: number, sortKey: string): string {
  return `${index}${separator}${sortKey}`;
}

function positionOf(cursor: string): { readonly index: number; readonly after: string | undefined } {
  const [index = '', ...key] = cursor.split(separator);
  return { index: Number(index), after: key.join(separator) || undefined };
}
