import type { MemberInput } from '../data/members/create.ts';
import type { MemberRecord } from '../data/members/row.ts';
import type { FulfilmentRequest } from '../domain/members/fulfilment.ts';
import type { CreateMemberBody } from '../operations/members/create-member.ts';
import type { FulfilMembersBody } from '../operations/members/fulfil-members.ts';

export function memberInput(body: CreateMemberBody, userId: number): MemberInput {
  return {
    userId,
    typeId: body.membership_type_id,
    personId: body.person_id,
    firstName: body.first_name,
    lastName: body.last_name,
    dateOfBirth: body.date_of_birth,
    gender: body.gender,
    companyName: body.company_name,
    address: body.address,
    address2: body.address2,
    suburb: body.suburb,
    state: body.state,
    postcode: body.postcode,
    countryId: body.country_id,
    mobileNumber: body.mobile_number,
    emailAddress: body.email_address,
    marketingEmails: body.marketing_emails,
  };
}

export function createdMember({ memberId, firstName }: MemberRecord): { member_id: string; first_name: string } {
  return { member_id: String(memberId), first_name: firstName ?? '' };
}

export function fulfilmentRequests({ members }: FulfilMembersBody): FulfilmentRequest[] {
  return members.map(({ membership_member_id, fulfillment_tracking_code }) => ({
    memberId: Number(membership_member_id),
    trackingCode: fulfillment_tracking_code || undefined,
  }));
}
