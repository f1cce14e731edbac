import { randomInt } from 'node:crypto';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { wordsAfter } from '../../domain/members/search.ts';
import { unpaidStatus } from '../../domain/members/status.ts';
import { newBarcode } from '../../platform/barcode.ts';
import { readCustomer } from '../customers/read.ts';
import { readTypeForMember, type TypeForMember } from '../membership/type-for-member.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { SideEffects } from '../table/transact.ts';
import { commitMember, type MemberChange } from './change.ts';
import { allocateMemberNumbers } from './numbers.ts';
import type { MemberRecord } from './row.ts';

/** The fields of a new member that the caller provides. */
export type MemberInput = Pick<
  MemberRecord,
  | 'typeId'
  | 'personId'
  | 'firstName'
  | 'lastName'
  | 'dateOfBirth'
  | 'gender'
  | 'companyName'
  | 'address'
  | 'address2'
  | 'suburb'
  | 'state'
  | 'postcode'
  | 'countryId'
  | 'mobileNumber'
  | 'emailAddress'
  | 'marketingEmails'
> & { readonly userId: number };

/** The initial values of a new member: unpaid, not fulfilled, without seat and order. */
const initialFields = {
  statusId: unpaidStatus,
  seatId: null,
  seatSection: null,
  seatAisle: null,
  seatRow: null,
  seatLevel: null,
  seatGate: null,
  seatTitle: null,
  ownSeatMapId: null,
  updatedUnix: null,
  autoRenew: false,
  orderId: null,
  fulfilled: 'no',
  fulfilledUnix: null,
  trackingCode: null,
  instalments: false,
  planId: null,
  renewalId: null,
  formerCards: null,
  cardVersion: null,
  lapsedUnix: null,
  pendingRefund: null,
  overdueSinceUnix: null,
  cancelledUnix: null,
  version: 1,
} as const satisfies Partial<MemberRecord>;

interface NewMemberFields extends Pick<TypeForMember, 'copiedFields'> {
  readonly memberNumber: string | null;
  readonly nowUnix: number;
}

/** A new member with an id and a barcode of its own. Whoever writes it does so on the condition that they are free. */
export function newMember(input: MemberInput, { copiedFields, memberNumber, nowUnix }: NewMemberFields): MemberRecord {
  return {
    ...initialFields,
    ...input,
    ...copiedFields,
    memberId: idOf(nowUnix, randomInt(idsPerSecond)),
    memberNumber,
    barcode: newBarcode(),
    createdUnix: nowUnix,
    words: wordsAfter(undefined, { ...input, memberNumber }),
  };
}

export interface NewMember {
  readonly orgId: string;
  readonly nowUnix: number;
  readonly input: MemberInput;
}

export type CreatedMember =
  | { readonly outcome: 'created'; readonly member: MemberRecord }
  /** Nothing was written: the organisation has no such customer, or no such membership type, or the type is inactive. */
  | { readonly outcome: 'customer_missing' | 'type_missing' | 'type_inactive' };

/**
 * Creates a member for a customer. Row, number, barcode and side effects are written in one transaction, on the condition
 * that id, number and barcode are free and that the fields copied from the type have not changed.
 */
export async function createMember(
  table: Table,
  { orgId, nowUnix, input }: NewMember,
  sideEffects: SideEffects<MemberChange>,
): Promise<CreatedMember> {
  const [customer, type] = await Promise.all([
    readCustomer(table, orgId, input.userId, { consistent: true }),
    readTypeForMember(table, orgId, input.typeId),
  ]);
  if (customer === undefined) return { outcome: 'customer_missing' };
  let typeForMember = type;
  let taken = 0;
  let numbers: readonly string[] | undefined;
  return retryRaces('member', async (): Promise<CreatedMember | undefined> => {
    if (typeForMember === undefined) return { outcome: 'type_missing' };
    if (!typeForMember.isActive) return { outcome: 'type_inactive' };
    const { copiedFields, checks } = typeForMember;
    numbers ??= await allocateMemberNumbers(table, orgId, { members: 1, takenNumbers: taken });
    const [memberNumber = null] = numbers;
    const withAddress = { ...input, emailAddress: input.emailAddress ?? customer.emailAddress };
    const member = newMember(withAddress, { copiedFields, memberNumber, nowUnix });
    const result = await commitMember(table, orgId, { before: undefined, after: member, checks }, sideEffects);
    if (result === 'written') return { outcome: 'created', member };
    if (result === 'number_taken') {
      taken += 1;
      numbers = undefined;
    } else {
      typeForMember = await readTypeForMember(table, orgId, input.typeId);
    }
    return undefined;
  });
}
