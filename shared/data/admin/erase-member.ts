import { type ChangedMember, changeMember, type MemberChange } from '../members/change.ts';
import type { MemberRecord } from '../members/row.ts';
import type { Table } from '../table/table.ts';
import type { SideEffects } from '../table/transact.ts';

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

/** Takes from a member what tells who it is. Whoever changes the member at the same time loses nothing but that. */
export function eraseMember(
  table: Table,
  member: { readonly orgId: string; readonly memberId: number; readonly nowUnix: number },
  sideEffects: SideEffects<MemberChange>,
): Promise<ChangedMember> {
  return changeMember(table, { ...member, change: () => nobody }, sideEffects);
}
