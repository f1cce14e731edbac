import type { MemberRecord } from '../data/members/row.ts';
import type { MemberFilters } from '../domain/members/filters.ts';
import { noMetadata } from '../domain/metadata.ts';
import type { ListMembersQuery } from '../operations/members/list-members.ts';
import type { Member } from '../operations/schemas/member.ts';

export function memberResource(record: MemberRecord): Member {
  return {
    membership_member_id: record.memberId,
    member_number: record.memberNumber,
    person_id: record.personId,
    membership_category_id: record.categoryId,
    category_title: record.categoryTitle,
    membership_type_id: record.typeId,
    type_title: record.typeTitle,
    barcode: record.barcode,
    membership_member_status_id: record.statusId,
    membership_seat_id: record.seatId,
    seat_section: record.seatSection,
    seat_aisle: record.seatAisle,
    seat_row: record.seatRow,
    seat_level: record.seatLevel,
    seat_gate: record.seatGate,
    seat_title: record.seatTitle,
    user_id: record.userId,
    first_name: record.firstName,
    last_name: record.lastName,
    date_of_birth: record.dateOfBirth,
    created: record.createdUnix,
    updated_at: record.updatedUnix,
    expires: record.expiresUnix,
    auto_renew: record.autoRenew ? 1 : 0,
    gender: record.gender,
    company_name: record.companyName,
    address: record.address,
    address2: record.address2,
    suburb: record.suburb,
    state: record.state,
    postcode: record.postcode,
    country_id: record.countryId,
    mobile_number: record.mobileNumber,
    email_address: record.emailAddress,
    membership_order_id: record.orderId,
    marketing_emails: record.marketingEmails,
    membership_fulfilled: record.fulfilled,
    fulfillment_tracking_code: record.trackingCode,
    instalments: record.instalments,
    metadata: record.metadata ?? noMetadata,
  };
}

export async function* memberResources(
  chunks: AsyncIterable<readonly MemberRecord[]>,
): AsyncGenerator<readonly Member[]> {
  for await (const chunk of chunks) yield chunk.map(memberResource);
}

export function memberFilters(query: ListMembersQuery): MemberFilters {
  return {
    updatedSince: query.updated_since,
    updatedUntil: query.updated_until,
    createdSince: query.created_since,
    createdUntil: query.created_until,
    fulfilled: query.membership_fulfilled,
    statusId: query.membership_member_status_id,
    typeId: query.membership_type_id,
    seatMapId: query.membership_seat_map_id,
  };
}
