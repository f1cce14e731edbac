import { randomInt } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type MemberRecord, memberItems, parseMember } from '../../shared/data/members-row.ts';
import { type MemberDraft, type SavedMember, saveMember } from '../../shared/data/members-write.ts';
import type { Table } from '../../shared/data/table.ts';
import { idOf } from '../../shared/domain/ids.ts';

export const someDay = Date.UTC(2026, 5, 1) / 1000;

/** A member with nothing but what every member has; a test names what matters to it. */
export function aMember(changes: Partial<MemberRecord> = {}): MemberRecord {
  const createdUnix = changes.createdUnix ?? someDay;
  return {
    ...parseMember({ memberId: idOf(createdUnix, randomInt(2 ** 21)), statusId: 1, createdUnix, version: 1 }),
    ...changes,
  };
}

/** Puts members into the table as they are, many at a time. */
export async function givenMembers(table: Table, orgId: string, members: readonly MemberRecord[]): Promise<void> {
  const items = members.flatMap((member) => memberItems(orgId, member));
  const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, index) =>
    items.slice(index * 25, index * 25 + 25),
  );
  const write = async (): Promise<void> => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
}

export type NumberedDraft = MemberDraft & { readonly memberNumber: string };

/** Saves a member as whoever knows everything about it does. */
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
