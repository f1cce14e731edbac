import * as v from 'valibot';
import { memberStatusIds } from '../../domain/members/status.ts';
import { Flag, field, Id, IsoDate, resource, seatText, UnixSeconds } from './fields.ts';
import { Metadata } from './metadata.ts';

export const MemberStatusId = v.pipe(v.picklist(memberStatusIds), v.integer());
export const MembershipFulfilled = v.picklist(['yes', 'no']);

const personText = (meaning: string) => field(v.nullable(v.string()), `${meaning}; null if unknown.`);

/** A new member has only a name and a number, and an imported member may lack any personal detail. */
export const Member = resource('Member', 'A person who holds a membership.', {
  membership_member_id: field(Id, 'Unique identifier of the member.'),
  member_number: field(
    v.nullable(v.string()),
    'The member number on the card; null if the member was imported without one.',
  ),
  person_id: field(
    v.nullable(v.string()),
    "The organisation's own id of the person, the same for all memberships of that person; null if unknown.",
  ),
  membership_category_id: field(v.nullable(Id), 'Category of the membership type; null if no type is assigned.'),
  category_title: field(v.nullable(v.string()), 'Title of the category; null if no type is assigned.'),
  membership_type_id: field(v.nullable(Id), 'The membership type; null if none is assigned.'),
  type_title: field(v.nullable(v.string()), 'Title of the membership type; null if none is assigned.'),
  barcode: field(v.nullable(v.string()), 'The barcode on the card, which gates read; null if none is issued.'),
  membership_member_status_id: field(
    MemberStatusId,
    'Status of the member: 0 unpaid, 1 paid, 2 instalments outstanding, 3 cancelled (final).',
  ),
  membership_seat_id: field(v.nullable(Id), 'The reserved seat; null if there is none.'),
  seat_section: seatText('Section of the seat'),
  seat_aisle: seatText('Aisle of the seat'),
  seat_row: seatText('Row of the seat'),
  seat_level: seatText('Level of the seat'),
  seat_gate: seatText('Gate nearest to the seat'),
  seat_title: seatText('Number or name of the seat'),
  user_id: field(v.nullable(Id), 'The user_id of the customer; null if the member is not linked to one.'),
  first_name: personText('Given name'),
  last_name: personText('Family name'),
  date_of_birth: field(v.nullable(IsoDate), 'Date of birth, YYYY-MM-DD; null if unknown.'),
  created: field(UnixSeconds, 'When the member was created, in Unix seconds.'),
  updated_at: field(v.nullable(UnixSeconds), 'When the member was last updated, in Unix seconds; null if never.'),
  expires: field(v.nullable(UnixSeconds), 'When the membership expires, in Unix seconds; null if it does not expire.'),
  auto_renew: field(Flag, '1 if the membership renews automatically, 0 if not.'),
  gender: personText("Gender, in the member's own words"),
  company_name: personText('Company of the member'),
  address: personText('First line of the postal address'),
  address2: personText('Second line of the postal address'),
  suburb: personText('Suburb or town'),
  state: personText('State or region'),
  postcode: personText('Postal code'),
  country_id: field(v.nullable(Id), 'ISO 3166-1 numeric country code of the address, such as 36; null if unknown.'),
  mobile_number: personText('Mobile number, as the member entered it'),
  email_address: personText('Email address, which several members can share'),
  membership_order_id: field(
    v.nullable(v.string()),
    'The order in which the membership was bought; null if there is none.',
  ),
  marketing_emails: field(v.boolean(), 'Whether the member agreed to marketing by email.'),
  membership_fulfilled: field(MembershipFulfilled, 'Whether the card and other goods were sent.'),
  fulfillment_tracking_code: field(v.nullable(v.string()), 'Postage tracking code; null if there is none.'),
  instalments: field(v.boolean(), 'Whether the membership is paid in instalments.'),
  metadata: Metadata,
});
export type Member = v.InferOutput<typeof Member>;
