import type { MemberRecord } from '../../shared/data/members/row.ts';
import type { MemberFilters } from '../../shared/domain/members/filters.ts';
import { modelFinds } from './search-model.ts';

/** The rules of the member list once more, written in the simplest way: over all rows, with no index. */
export function modelMembers(
  members: readonly MemberRecord[],
  filters: MemberFilters,
  search: string | undefined,
): readonly MemberRecord[] {
  const updated = (one: MemberRecord): number => one.updatedUnix ?? one.createdUnix;
  const byUpdate = filters.updatedSince !== undefined || filters.updatedUntil !== undefined;
  return members
    .filter(
      (one) =>
        (filters.updatedSince === undefined || updated(one) > filters.updatedSince) &&
        (filters.updatedUntil === undefined || updated(one) < filters.updatedUntil) &&
        (filters.createdSince === undefined || one.createdUnix > filters.createdSince) &&
        (filters.createdUntil === undefined || one.createdUnix < filters.createdUntil) &&
        (filters.fulfilled === undefined || one.fulfilled === filters.fulfilled) &&
        (filters.statusId === undefined || one.statusId === filters.statusId) &&
        (filters.typeId === undefined || one.typeId === filters.typeId) &&
        (filters.seatMapId === undefined || one.seatMapId === filters.seatMapId) &&
        isFound(one, search ?? ''),
    )
    .toSorted((a, b) => (byUpdate ? updated(a) - updated(b) : 0) || a.memberId - b.memberId);
}

function isFound(member: MemberRecord, search: string): boolean {
  const { firstName, lastName, emailAddress, memberNumber, mobileNumber, postcode, memberId, userId, barcode } = member;
  const ids = [String(memberId), ...(userId === null ? [] : [String(userId)]), ...(barcode === null ? [] : [barcode])];
  const searched = {
    texts: [firstName, lastName],
    emails: [emailAddress],
    codes: [memberNumber, mobileNumber, postcode],
  };
  return modelFinds({ ...searched, ids }, search);
}
