import { randomInt } from 'node:crypto';
import { type MemberDraft, type SavedMember, saveMember } from '../../shared/data/admin/save-member.ts';
import { memberPositions } from '../../shared/data/members/positions.ts';
import { type MemberRecord, memberItems, parseMember } from '../../shared/data/members/row.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { idOf, idsPerSecond } from '../../shared/domain/ids.ts';
import { creationChange } from './position-trees.ts';
import { putItems } from './put-items.ts';

export const someDay = Date.UTC(2026, 5, 1) / 1000;

/** A member with the required fields only; a test sets what it needs. */
export function aMember(changes: Partial<MemberRecord> = {}): MemberRecord {
  const createdUnix = changes.createdUnix ?? someDay;
  return {
    ...parseMember({ memberId: idOf(createdUnix, randomInt(idsPerSecond)), statusId: 1, createdUnix, version: 1 }),
    ...changes,
  };
}

/** Writes members directly in batches. */
export async function givenMembers(table: Table, orgId: string, members: readonly MemberRecord[]): Promise<void> {
  await putItems(
    table,
    members.flatMap((member) => [
      ...memberItems(orgId, member),
      ...creationChange(orgId, 'members', member.memberId, memberPositions(member)),
    ]),
  );
}

export type NumberedDraft = MemberDraft & { readonly memberNumber: string };

/** Saves a member with all its fields. */
export async function savedMember(
  table: Table,
  orgId: string,
  { memberNumber, ...fields }: NumberedDraft,
  nowUnix: number,
): Promise<Extract<SavedMember, { member: MemberRecord }>> {
  const saved = await saveMember(table, { orgId, memberNumber, nowUnix, draft: () => fields });
  if (!('member' in saved)) throw new Error(`The member was not saved: ${saved.outcome}`);
  return saved;
}
