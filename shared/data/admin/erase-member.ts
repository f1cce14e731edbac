import { type ChangedMember, changeMember, type MemberChange } from '../members/change.ts';
import { type MemberRecord, noContactDetails } from '../members/row.ts';
import type { Table } from '../table/table.ts';
import type { SideEffects } from '../table/transact.ts';

/**
 * The values that replace a member's personal data. Numbers, statuses, dates, seat and order stay for accounting. The tracking
 * code is removed, because it leads to the address, and so is the organisation's own id of the person, which may be a national number.
 */
const erasedFields = {
  personId: null,
  firstName: null,
  lastName: null,
  dateOfBirth: null,
  ...noContactDetails,
  emailAddress: null,
  trackingCode: null,
  metadata: undefined,
} as const satisfies Partial<MemberRecord>;

/** Erases the personal data of a member. A concurrent change of the member is not lost. */
export function eraseMember(
  table: Table,
  member: { readonly orgId: string; readonly memberId: number; readonly nowUnix: number },
  sideEffects: SideEffects<MemberChange>,
): Promise<ChangedMember> {
  return changeMember(table, { ...member, change: () => erasedFields }, sideEffects);
}
