import { activeTerms } from '../../domain/members/next-term.ts';
import { isCancelledMember } from '../../domain/members/status.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import { isSold } from '../../domain/orders/order.ts';
import { readOrderWithTickets } from '../orders/read.ts';
import type { Table } from '../table/table.ts';
import { termsOfMember } from '../terms/terms.ts';
import { readMember } from './read.ts';
import type { MemberRecord } from './row.ts';

/** The terms of a member that are neither ended nor replaced; none if the member was not bought here. */
export async function activeTermsOf(
  table: Table,
  orgId: string,
  { memberId }: Pick<MemberRecord, 'memberId'>,
): Promise<readonly TermRecord[]> {
  return activeTerms(await termsOfMember(table, orgId, memberId));
}

/** The last of these terms. */
export async function lastTermOf(
  table: Table,
  orgId: string,
  member: Pick<MemberRecord, 'memberId'>,
): Promise<TermRecord | undefined> {
  return (await activeTermsOf(table, orgId, member)).at(-1);
}

/**
 * The member, and all who were bought in the same line as its last term, without those who were cancelled since. Members who were not
 * bought here can be named.
 */
export async function boughtTogether(
  table: Table,
  orgId: string,
  member: MemberRecord,
  { last, named = [] }: { readonly last: TermRecord | undefined; readonly named?: readonly number[] },
): Promise<readonly MemberRecord[]> {
  const placed = last && (await readOrderWithTickets(table, orgId, last.orderId));
  const lineId = placed?.memberships.find(({ memberId }) => memberId === member.memberId)?.lineId;
  const bought = (placed?.memberships ?? []).filter((one) => one.lineId === lineId && isSold(one));
  const others = new Set([...named, ...bought.map(({ memberId }) => memberId)]);
  others.delete(member.memberId);
  const found = await Promise.all([...others].map((memberId) => readMember(table, orgId, memberId)));
  return [member, ...found.flatMap((one) => (one === undefined || isCancelledMember(one) ? [] : [one]))];
}
