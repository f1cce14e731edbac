import { randomInt } from 'node:crypto';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { newBarcode } from '../../platform/barcode.ts';
import { readCustomer } from '../customers/read.ts';
import { readTypeToHold } from '../membership/type-to-hold.ts';
import type { Table } from '../table/table.ts';
import type { SideEffects } from '../table/transact.ts';
import { commitMember, contended, type MemberChange, pauseAfterRace } from './change.ts';
import { drawMemberNumber } from './numbers.ts';
import type { MemberRecord } from './row.ts';

/** What whoever creates a member tells about it. */
export type ToldOfMember = Pick<
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

/** What a member begins as: unpaid, nothing sent, no seat, no order. */
const begun = {
  statusId: 0,
  seatId: null,
  seatSection: null,
  seatAisle: null,
  seatRow: null,
  seatLevel: null,
  seatGate: null,
  seatTitle: null,
  updatedUnix: null,
  autoRenew: false,
  orderId: null,
  fulfilled: 'no',
  fulfilledUnix: null,
  trackingCode: null,
  instalments: false,
  version: 1,
} as const satisfies Partial<MemberRecord>;

export interface NewMember {
  readonly orgId: string;
  readonly nowUnix: number;
  readonly told: ToldOfMember;
}

export type CreatedMember =
  | { readonly outcome: 'created'; readonly member: MemberRecord }
  /** Nothing was written: the organisation has no such customer, or no such membership type. */
  | { readonly outcome: 'customer_missing' | 'type_missing' };

const maxAttempts = 30;

/**
 * Creates a member for a customer. Row, number and barcode are written in one transaction with what goes along, on the
 * condition that all three are free and that the type still says what the member carries of it.
 */
export async function createMember(
  table: Table,
  { orgId, nowUnix, told }: NewMember,
  sideEffects: SideEffects<MemberChange>,
): Promise<CreatedMember> {
  const [customer, type] = await Promise.all([
    readCustomer(table, orgId, told.userId, { consistent: true }),
    readTypeToHold(table, orgId, told.typeId),
  ]);
  if (customer === undefined) return { outcome: 'customer_missing' };
  let held = type;
  let taken = 0;
  let number: string | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (held === undefined) return { outcome: 'type_missing' };
    const { carried, checks } = held;
    number ??= await drawMemberNumber(table, orgId, taken);
    const member: MemberRecord = {
      ...begun,
      ...told,
      emailAddress: told.emailAddress ?? customer.emailAddress,
      ...carried,
      memberId: idOf(nowUnix, randomInt(idsPerSecond)),
      memberNumber: number,
      barcode: newBarcode(),
      createdUnix: nowUnix,
    };
    const verdict = await commitMember(table, orgId, { before: undefined, after: member, checks }, sideEffects);
    if (verdict === 'written') return { outcome: 'created', member };
    if (verdict === 'number_taken') {
      taken += 1;
      number = undefined;
    } else {
      await pauseAfterRace(attempt);
      held = await readTypeToHold(table, orgId, told.typeId);
    }
  }
  throw contended();
}
