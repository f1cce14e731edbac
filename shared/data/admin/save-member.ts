import { randomInt } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { commitMember, contended, type MemberChange, pauseAfterRace } from '../members/change.ts';
import { readMember } from '../members/read.ts';
import type { MemberRecord } from '../members/row.ts';
import { uniqueKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects } from '../table/transact.ts';

/** A member as an import or the demo knows it: everything but its number and what the table decides. */
export type MemberDraft = Omit<MemberRecord, 'memberId' | 'memberNumber' | 'version'>;

export interface MemberSave {
  readonly orgId: string;
  /** Names the member to change, or to create. */
  readonly memberNumber: string;
  readonly nowUnix: number;
  /**
   * What the member shall be, from what it is when it is written; undefined when nobody has the number yet. Whoever knows
   * only some fields takes the others from there. It is asked again when somebody else was faster.
   */
  draft(current: MemberRecord | undefined): MemberDraft;
}

export type SavedMember =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly member: MemberRecord }
  /** Another member or a ticket of the organisation has the barcode. Nothing was written. */
  | { readonly outcome: 'barcode_taken'; readonly barcode: string | null };

const maxAttempts = 20;

/**
 * Creates or updates the member with this number: the number is what makes a repeat harmless. Row, number and barcode are
 * written in one transaction, on the condition that nobody else changed the member since it was read; who loses that race
 * reads anew. A second save of the same values writes nothing, and keeps the time of the last update.
 */
export async function saveMember(
  table: Table,
  save: MemberSave,
  sideEffects: SideEffects<MemberChange> = noSideEffects,
): Promise<SavedMember> {
  const { orgId, memberNumber } = save;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const before = await memberByNumber(table, orgId, memberNumber);
    const after = before === undefined ? created(save) : updated(before, save);
    if (after === before) return { outcome: 'unchanged', member: after };
    const verdict = await commitMember(table, orgId, { before, after }, sideEffects);
    if (verdict === 'written') return { outcome: before === undefined ? 'created' : 'updated', member: after };
    if (verdict === 'barcode_taken') return { outcome: verdict, barcode: after.barcode };
    await pauseAfterRace(attempt);
  }
  throw contended();
}

/** The member that holds a number. */
export async function memberByNumber(
  table: Table,
  orgId: string,
  memberNumber: string,
): Promise<MemberRecord | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: uniqueKey(orgId, 'member-number', memberNumber),
      ConsistentRead: true,
    }),
  );
  return Item === undefined ? undefined : readMember(table, orgId, v.parse(Claim, Item).id);
}

const Claim = v.object({ id: v.number() });

/** The id carries the second of creation, for imports too; the condition of the put tells whether it was free. */
function created({ draft, memberNumber }: MemberSave): MemberRecord {
  const fields = draft(undefined);
  return { ...fields, memberNumber, memberId: idOf(fields.createdUnix, randomInt(idsPerSecond)), version: 1 };
}

/** When a member was created never changes; when it was last updated follows from whether anything else did. */
function updated(current: MemberRecord, { draft, nowUnix }: MemberSave): MemberRecord {
  const { memberId, memberNumber, version, createdUnix, updatedUnix } = current;
  const fields = draft(current);
  const same = { ...fields, memberId, memberNumber, version, createdUnix, updatedUnix };
  if (isSame(current, same)) return current;
  return { ...same, version: version + 1, updatedUnix: fields.updatedUnix ?? nowUnix };
}

function isSame(current: MemberRecord, other: MemberRecord): boolean {
  const fields = (member: MemberRecord): string =>
    JSON.stringify(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  return fields(current) === fields(other);
}
