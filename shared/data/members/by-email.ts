import * as v from 'valibot';
import { emailIdentity } from '../../domain/customers/customer.ts';
import { isPaying } from '../../domain/members/status.ts';
import { memberEmailPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { readMember } from './read.ts';

const Pointer = v.object({ memberId: v.number() });

/** Returns the membership types that a member with this email address pays for and that have not expired. */
export async function paidTypesOf(
  table: Table,
  orgId: string,
  emailAddress: string,
  nowUnix: number,
): Promise<ReadonlySet<number>> {
  const pointers = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': memberEmailPartition(orgId, emailIdentity(emailAddress)) },
    ConsistentRead: true,
  });
  const members = await Promise.all(pointers.map((item) => readMember(table, orgId, v.parse(Pointer, item).memberId)));
  const types = members.flatMap((member) => {
    if (member === undefined || !isPaying(member.statusId)) return [];
    const isCurrent = member.expiresUnix === null || member.expiresUnix > nowUnix;
    return isCurrent && member.typeId !== null ? [member.typeId] : [];
  });
  return new Set(types);
}
