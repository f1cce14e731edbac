import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { isConditionFailure } from './failures.ts';
import { readMember } from './members-read.ts';
import { type MemberRecord, memberItem } from './members-row.ts';
import type { Table } from './table.ts';

/**
 * What identifies the person. Numbers, statuses, dates, seat and order stay, because the books refer to them; the postage
 * code goes, because it leads to the address.
 */
const nobody = {
  firstName: null,
  lastName: null,
  dateOfBirth: null,
  gender: null,
  companyName: null,
  address: null,
  address2: null,
  suburb: null,
  state: null,
  postcode: null,
  countryId: null,
  mobileNumber: null,
  emailAddress: null,
  trackingCode: null,
  marketingEmails: false,
} as const satisfies Partial<MemberRecord>;

/** Whether anything was there to erase. Whoever changes the member at the same time loses nothing but what is erased. */
export async function eraseMember(
  table: Table,
  orgId: string,
  memberId: number,
  nowUnix: number,
): Promise<'erased' | 'unchanged'> {
  for (;;) {
    const member = await readMember(table, orgId, memberId);
    if (member === undefined || isNobody(member)) return 'unchanged';
    try {
      await table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: memberItem(orgId, { ...member, ...nobody, updatedUnix: nowUnix, version: member.version + 1 }),
          ConditionExpression: 'version = :version',
          ExpressionAttributeValues: { ':version': member.version },
        }),
      );
      return 'erased';
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
    }
  }
}

function isNobody(member: MemberRecord): boolean {
  const known: Readonly<Record<string, unknown>> = member;
  return Object.entries(nobody).every(([name, value]) => known[name] === value);
}
