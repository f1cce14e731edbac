import * as v from 'valibot';
import type { MemberDraft } from '../../../shared/data/admin/save-member.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { memberLimits } from '../../../shared/domain/members/limits.ts';
import { memberStatusIds } from '../../../shared/domain/members/status.ts';
import { memberResource } from '../../../shared/mappers/member.ts';
import * as column from '../columns.ts';
import type { IsGiven } from '../dataset.ts';
import { metadataPairs } from '../metadata-columns.ts';

const status = v.picklist(memberStatusIds, 'must be 0, 1, 2 or 3');
const yesOrNo = v.picklist(['yes', 'no'], 'must be yes or no');
const short = column.textOrNull(memberLimits.short);
const long = column.textOrNull(memberLimits.long);
const lines = column.linesOrNull(memberLimits.long);

/** A member in a file: the fields of the API, but the type by its code and the customer by the organisation's own id. */
export const MemberRow = v.strictObject({
  member_number: column.name(memberLimits.memberNumber),
  person_id: short,
  membership_type_code: v.nullable(column.code),
  org_customer_id: v.nullable(column.name(100)),
  first_name: long,
  last_name: long,
  membership_member_status_id: status,
  barcode: short,
  membership_seat_id: v.nullable(column.id),
  seat_section: short,
  seat_aisle: short,
  seat_row: short,
  seat_level: short,
  seat_gate: short,
  seat_title: short,
  date_of_birth: column.dateOrNull,
  gender: short,
  company_name: long,
  address: lines,
  address2: lines,
  suburb: long,
  state: long,
  postcode: short,
  country_id: v.nullable(column.integer(1, memberLimits.countryId)),
  mobile_number: short,
  email_address: column.textOrNull(memberLimits.emailAddress),
  created: column.createdUnix,
  expires: column.unixOrNull,
  auto_renew: column.flag,
  membership_order_id: short,
  marketing_emails: column.boolean,
  instalments: column.boolean,
  membership_fulfilled: yesOrNo,
  fulfilled_at: column.unixOrNull,
  fulfillment_tracking_code: short,
  metadata: metadataPairs,
});
export type MemberRow = v.InferOutput<typeof MemberRow>;

/** A new member that has nothing but a number in the file. */
export const memberDefaults = {
  person_id: null,
  membership_type_code: null,
  org_customer_id: null,
  first_name: null,
  last_name: null,
  membership_member_status_id: 0,
  barcode: null,
  membership_seat_id: null,
  seat_section: null,
  seat_aisle: null,
  seat_row: null,
  seat_level: null,
  seat_gate: null,
  seat_title: null,
  date_of_birth: null,
  gender: null,
  company_name: null,
  address: null,
  address2: null,
  suburb: null,
  state: null,
  postcode: null,
  country_id: null,
  mobile_number: null,
  email_address: null,
  expires: null,
  auto_renew: 0,
  membership_order_id: null,
  marketing_emails: false,
  instalments: false,
  membership_fulfilled: 'no',
  fulfilled_at: null,
  fulfillment_tracking_code: null,
} as const satisfies Omit<MemberRow, 'member_number' | 'created'>;

interface References {
  readonly membership_type_code: string | null;
  readonly org_customer_id: string | null;
}

export function memberRow(record: MemberRecord, references: References): MemberRow {
  const {
    membership_member_id: _id,
    membership_category_id: _category,
    category_title: _categoryTitle,
    membership_type_id: _type,
    type_title: _typeTitle,
    user_id: _user,
    updated_at: _updated,
    metadata: _metadata,
    ...fields
  } = memberResource(record);
  return {
    ...fields,
    ...references,
    member_number: record.memberNumber ?? '',
    fulfilled_at: record.fulfilledUnix,
    metadata: record.metadata,
  };
}

type Referred = Pick<
  MemberRecord,
  'typeId' | 'typeTitle' | 'categoryId' | 'categoryTitle' | 'seatMapId' | 'userId' | 'updatedUnix'
>;

export function memberOfRow(row: MemberRow, referred: Referred): MemberDraft {
  return {
    ...referred,
    personId: row.person_id,
    firstName: row.first_name,
    lastName: row.last_name,
    statusId: row.membership_member_status_id,
    barcode: row.barcode,
    seatId: row.membership_seat_id,
    seatSection: row.seat_section,
    seatAisle: row.seat_aisle,
    seatRow: row.seat_row,
    seatLevel: row.seat_level,
    seatGate: row.seat_gate,
    seatTitle: row.seat_title,
    dateOfBirth: row.date_of_birth,
    gender: row.gender,
    companyName: row.company_name,
    address: row.address,
    address2: row.address2,
    suburb: row.suburb,
    state: row.state,
    postcode: row.postcode,
    countryId: row.country_id,
    mobileNumber: row.mobile_number,
    emailAddress: row.email_address,
    createdUnix: row.created,
    expiresUnix: row.expires,
    autoRenew: row.auto_renew === 1,
    orderId: row.membership_order_id,
    marketingEmails: row.marketing_emails,
    instalments: row.instalments,
    fulfilled: row.membership_fulfilled,
    fulfilledUnix: row.fulfilled_at,
    trackingCode: row.fulfillment_tracking_code,
    planId: null,
    renewalId: null,
    lapsedUnix: null,
    pendingRefund: null,
    overdueSinceUnix: null,
    cancelledUnix: null,
    ownSeatMapId: null,
  };
}

interface GivenRow {
  readonly row: MemberRow;
  readonly referred: Referred;
  readonly isGiven: IsGiven;
}

/** The current member with the given columns of the row. */
export function changedMember(current: MemberRecord, { row, referred, isGiven }: GivenRow): MemberDraft {
  const currentRow = memberRow(current, { membership_type_code: null, org_customer_id: null });
  const given = Object.fromEntries(Object.entries(row).filter(([column]) => isGiven(column)));
  const { typeId, typeTitle, categoryId, categoryTitle, seatMapId } = isGiven('membership_type_code')
    ? referred
    : current;
  const changed = memberOfRow(
    { ...currentRow, ...given },
    {
      typeId,
      typeTitle,
      categoryId,
      categoryTitle,
      seatMapId,
      userId: isGiven('org_customer_id') ? referred.userId : current.userId,
      updatedUnix: referred.updatedUnix,
    },
  );
  // A file says nothing of what was sold here.
  const { planId, renewalId, lapsedUnix, goesOnUntilUnix, overdueSinceUnix, cancelledUnix, pendingRefund } = current;
  return {
    ...changed,
    planId,
    renewalId,
    lapsedUnix,
    overdueSinceUnix,
    cancelledUnix,
    pendingRefund,
    ...(goesOnUntilUnix !== undefined && { goesOnUntilUnix }),
  };
}
