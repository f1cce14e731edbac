import * as v from 'valibot';
import { emailIdentity } from '../../domain/customers/customer.ts';
import { memberEmailPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { readMember } from './read.ts';

const Pointer = v.object({ memberId: v.number() });
const paid = 1;

/** Returns the membership types for which a member with this email address has paid and that have not expired. */
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
    const isCurrent = member?.statusId === paid && (member.expiresUnix === null || member.expiresUnix > nowUnix);
    return isCurrent && member.typeId !== null ? [member.typeId] : [];
  });
  return new Set(types);
}
