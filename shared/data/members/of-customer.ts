import * as v from 'valibot';
import { batchGet } from '../table/batch-get.ts';
import { customerMembersPartition, memberKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type MemberRecord, parseMember } from './row.ts';

const Pointer = v.object({ memberId: v.number() });

/** Returns the members that belong to a customer, the oldest first. */
export async function membersOfCustomer(table: Table, orgId: string, userId: number): Promise<readonly MemberRecord[]> {
  const pointers = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': customerMembersPartition(orgId, userId) },
    ConsistentRead: true,
  });
  const ids = pointers.map((item) => v.parse(Pointer, item).memberId);
  const items = await batchGet(
    table,
    ids.map((memberId) => memberKey(orgId, memberId)),
    { consistent: true },
  );
  // A pointer that was read just before the member got another customer does not count.
  return items
    .map(parseMember)
    .filter((member) => member.userId === userId)
    .toSorted((one, other) => one.memberId - other.memberId);
}
