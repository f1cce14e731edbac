import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { idOf } from '../domain/ids.ts';
import { Fault } from '../platform/fault.ts';
import { uniqueKey } from './keys.ts';
import { readMember } from './members-read.ts';
import { type MemberRecord, memberItem } from './members-row.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';

/** A member as an import or the demo knows it: everything but what the table decides. */
export type MemberDraft = Omit<MemberRecord, 'memberId' | 'version'> & { readonly memberNumber: string };

export interface SavedMember {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly member: MemberRecord;
}

const maxAttempts = 20;
const idsPerSecond = 2 ** 21;

/**
 * Creates or updates the member with this number: the number is what makes a repeat harmless. Row and number are written in
 * one transaction, on the condition that nobody else changed the member since it was read; who loses that race reads anew.
 * A second save of the same values writes nothing, and keeps the time of the last update.
 */
export async function saveMember(
  table: Table,
  orgId: string,
  draft: MemberDraft,
  nowUnix: number,
): Promise<SavedMember> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const current = await memberByNumber(table, orgId, draft.memberNumber);
    const saved = current === undefined ? created(draft) : updated(current, draft, nowUnix);
    if (saved.outcome === 'unchanged' || (await commit(table, orgId, saved, current))) return saved;
    await sleep(randomInt(1, 10 * attempt + 1));
  }
  throw new Fault('The member is being changed by many at once. Nothing was changed; try again.');
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
function created(draft: MemberDraft): SavedMember {
  const memberId = idOf(draft.createdUnix, randomInt(idsPerSecond));
  return { outcome: 'created', member: { ...draft, memberId, version: 1 } };
}

/** When a member was created never changes; when it was last updated follows from whether anything else did. */
function updated(current: MemberRecord, draft: MemberDraft, nowUnix: number): SavedMember {
  const { memberId, version, createdUnix, updatedUnix } = current;
  const same = { ...draft, memberId, version, createdUnix, updatedUnix };
  if (isSame(current, same)) return { outcome: 'unchanged', member: current };
  return { outcome: 'updated', member: { ...same, version: version + 1, updatedUnix: draft.updatedUnix ?? nowUnix } };
}

function isSame(current: MemberRecord, other: MemberRecord): boolean {
  const fields = (member: MemberRecord): string =>
    JSON.stringify(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  return fields(current) === fields(other);
}

async function commit(
  table: Table,
  orgId: string,
  { member }: SavedMember,
  current: MemberRecord | undefined,
): Promise<boolean> {
  const row = { TableName: table.name, Item: memberItem(orgId, member) };
  const claim = {
    TableName: table.name,
    Item: { ...uniqueKey(orgId, 'member-number', String(member.memberNumber)), id: member.memberId },
  };
  const absent = { ConditionExpression: 'attribute_not_exists(pk)' };
  const TransactItems =
    current === undefined
      ? [{ Put: { ...row, ...absent } }, { Put: { ...claim, ...absent } }]
      : [
          {
            Put: {
              ...row,
              ConditionExpression: 'version = :version',
              ExpressionAttributeValues: { ':version': current.version },
            },
          },
        ];
  return (await transact(table, TransactItems)).length === 0;
}
