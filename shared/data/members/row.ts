import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import { effectiveUpdatedUnix, type MemberIndex, updatedSortKey } from '../../domain/members/filters.ts';
import { memberStatusIds } from '../../domain/members/status.ts';
import { barcodeKey, customerMembersPartition, memberKey, membersPartition, uniqueKey } from '../table/keys.ts';
import { carried, nullable, row, storedEnum, storedMetadata } from '../table/row.ts';

/** Empty values are not stored: DynamoDB charges by size, and most fields of most members are empty. */
const text = nullable(v.string());
const number = nullable(v.number());

const MemberItem = row({
  memberId: v.number(),
  memberNumber: text,
  personId: text,
  categoryId: number,
  categoryTitle: text,
  typeId: number,
  typeTitle: text,
  /** The seat map of the type's category, for the seat-map filter. */
  seatMapId: number,
  barcode: text,
  formerCards: nullable(v.array(v.object({ barcode: v.string(), untilUnix: v.number() }))),
  cardVersion: number,
  statusId: storedEnum(memberStatusIds, 0),
  seatId: number,
  seatSection: text,
  seatAisle: text,
  seatRow: text,
  seatLevel: text,
  seatGate: text,
  seatTitle: text,
  /** The map on which the seat is the member's own: no other member has it. Null: the fields of the seat are a text. */
  ownSeatMapId: number,
  userId: number,
  firstName: text,
  lastName: text,
  dateOfBirth: text,
  createdUnix: v.number(),
  updatedUnix: number,
  expiresUnix: number,
  autoRenew: v.optional(v.boolean(), false),
  gender: text,
  companyName: text,
  address: text,
  address2: text,
  suburb: text,
  state: text,
  postcode: text,
  countryId: number,
  mobileNumber: text,
  emailAddress: text,
  orderId: text,
  marketingEmails: v.optional(v.boolean(), false),
  fulfilled: v.optional(storedEnum(['yes', 'no'], 'yes'), 'no'),
  fulfilledUnix: number,
  trackingCode: text,
  instalments: v.optional(v.boolean(), false),
  /** The last plan by which the membership is or was paid in instalments. */
  planId: number,
  /** The saved method and the auto-renewal of all who were bought together (RNW). */
  renewalId: number,
  /** The end of the term whose lapse was announced. */
  lapsedUnix: number,
  /** The membership goes on until its renewal is charged, if that is later than its end. Read by `endUnixOf`. */
  goesOnUntilUnix: v.optional(v.number()),
  /** Until then a withdrawal asks whether the member has used the membership, so gates and sales write it down. */
  withdrawableUntilUnix: v.optional(v.number()),
  /** When the oldest instalment was due that was declined and is not paid. */
  overdueSinceUnix: number,
  /** When it was cancelled, at once or for the end of its last term. The next term clears it. */
  cancelledUnix: number,
  /** A refund of the last term that is recorded and not carried out. */
  pendingRefund: nullable(
    row({
      orderId: v.number(),
      number: v.number(),
      before: nullable(
        row({
          statusId: storedEnum(memberStatusIds, 0),
          autoRenew: v.boolean(),
          overdueSinceUnix: number,
          cancelledUnix: number,
        }),
      ),
    }),
  ),
  /** The search words that their tree has of the member (ADR 71). A release that knew none left them as they were. */
  words: nullable(v.array(v.string())),
  metadata: storedMetadata,
  /** Incremented with each change, so concurrent changes do not overwrite each other. */
  version: v.number(),
});
export type MemberRecord = v.InferOutput<typeof MemberItem>;

/** How a member can be reached, empty: of a new member who has said nothing, and of an erased one. */
export const noContactDetails = {
  gender: null,
  companyName: null,
  address: null,
  address2: null,
  suburb: null,
  state: null,
  postcode: null,
  countryId: null,
  mobileNumber: null,
  marketingEmails: false,
} as const satisfies Partial<MemberRecord>;

export function parseMember(item: unknown): MemberRecord {
  return v.parse(MemberItem, item);
}

export const memberIndexNames = {
  updated: 'by1',
  status: 'by2',
  type: 'by3',
  fulfilled: 'by4',
  'seat-map': 'by5',
} as const satisfies Partial<Record<MemberIndex, string>>;

const valueLetters: Readonly<Record<MemberIndex, string>> = {
  all: '',
  updated: '',
  status: 'S',
  type: 'T',
  fulfilled: 'F',
  'seat-map': 'M',
};

export function memberPartition(orgId: string, index: MemberIndex, value: string): string {
  const letter = valueLetters[index];
  return letter === '' ? membersPartition(orgId) : membersPartition(orgId, letter + value);
}

/** The item of a member, with its keys in each index. */
export function memberItem(orgId: string, member: MemberRecord): Record<string, unknown> {
  const id = idText(member.memberId);
  const indexKeys = (index: keyof typeof memberIndexNames, value: string | number | null, sk: string) => {
    const name = memberIndexNames[index];
    return value === null ? {} : { [`${name}pk`]: memberPartition(orgId, index, String(value)), [`${name}sk`]: sk };
  };
  return {
    ...carried(member),
    ...memberKey(orgId, member.memberId),
    ...Object.fromEntries(Object.entries(member).filter(([, value]) => value !== null && value !== false)),
    ...indexKeys('updated', '', updatedSortKey(effectiveUpdatedUnix(member), id)),
    ...indexKeys('status', member.statusId, id),
    ...indexKeys('type', member.typeId, id),
    ...indexKeys('fulfilled', member.fulfilled, id),
    ...indexKeys('seat-map', member.seatMapId, id),
  };
}

/** All items of a member: the row, those of its number and barcode, and the pointer from its customer. */
export function memberItems(orgId: string, member: MemberRecord): Record<string, unknown>[] {
  const others = [numberItem(orgId, member), barcodeItem(orgId, member), customerPointer(orgId, member)];
  return [memberItem(orgId, member), ...others.filter((item) => item !== undefined)];
}

/** Makes the number unique among the members of the organisation. */
export function numberItem(orgId: string, { memberId, memberNumber }: MemberRecord) {
  return memberNumber === null ? undefined : { ...uniqueKey(orgId, 'member-number', memberNumber), id: memberId };
}

/** Makes the barcode unique among members and tickets. Gates find the member by it. */
export function barcodeItem(orgId: string, { memberId, barcode }: MemberRecord) {
  return barcode === null ? undefined : { ...barcodeKey(orgId, barcode), kind: 'member', memberId };
}

/** Points from a customer to a member. It contains only the id, because the member's other fields change. */
export function customerPointer(orgId: string, { memberId, userId }: MemberRecord) {
  return userId === null ? undefined : { pk: customerMembersPartition(orgId, userId), sk: idText(memberId), memberId };
}
