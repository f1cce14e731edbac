import * as v from 'valibot';
import { memberStatusIds } from '../../domain/members/status.ts';
import { Flag, field, Id, IsoDate, resource, seatText, UnixSeconds } from './fields.ts';

export const MemberStatusId = v.pipe(v.picklist(memberStatusIds), v.integer());
export const MembershipFulfilled = v.picklist(['yes', 'no']);

const personText = (meaning: string) => field(v.nullable(v.string()), `${meaning}; null when never told.`);

/** A new member has no more than a name and a number; imported ones may lack any detail of the person. */
export const Member = resource('Member', 'A membership and the person who holds it.', {
  membership_member_id: field(Id, 'Names the member in every path below /v1/members.'),
  member_number: field(v.nullable(v.string()), 'The number on the card; null when imported without one.'),
  person_id: field(
    v.nullable(v.string()),
    "The same person across memberships, in the organisation's own records; null when not recorded.",
  ),
  membership_category_id: field(v.nullable(Id), 'Category of the membership type; null while there is no type.'),
  category_title: field(v.nullable(v.string()), 'Title of that category; null while there is no type.'),
  membership_type_id: field(v.nullable(Id), 'What the member bought; null until a type is assigned.'),
  type_title: field(v.nullable(v.string()), 'Title of that type; null until one is assigned.'),
  barcode: field(v.nullable(v.string()), 'What a gate reads from the card; null until one is issued.'),
  membership_member_status_id: field(
    MemberStatusId,
    '0 unpaid, 1 paid, 2 instalments outstanding, 3 cancelled (final).',
  ),
  membership_seat_id: field(v.nullable(Id), 'The reserved seat; null when the membership has none.'),
  seat_section: seatText('Section of the seat'),
  seat_aisle: seatText('Aisle of the seat'),
  seat_row: seatText('Row of the seat'),
  seat_level: seatText('Level of the seat'),
  seat_gate: seatText('Gate nearest to the seat'),
  seat_title: seatText('Number or name of the seat'),
  user_id: field(v.nullable(Id), "The member's user_id as a customer; null when not linked to one."),
  first_name: personText('Given name'),
  last_name: personText('Family name'),
  date_of_birth: field(v.nullable(IsoDate), 'YYYY-MM-DD; null when never told.'),
  created: field(UnixSeconds, 'When the member was created, in Unix seconds.'),
  updated_at: field(v.nullable(UnixSeconds), 'When the member last changed, in Unix seconds; null until then.'),
  expires: field(v.nullable(UnixSeconds), 'When the membership ends, in Unix seconds; null when it does not.'),
  auto_renew: field(Flag, '1 when the membership renews itself at its end, 0 when not.'),
  gender: personText('In the words of the member'),
  company_name: personText('Company that the member belongs to'),
  address: personText('First line of the postal address'),
  address2: personText('Second line of the postal address'),
  suburb: personText('Suburb or town'),
  state: personText('State or region'),
  postcode: personText('Postal code'),
  country_id: field(v.nullable(Id), 'ISO 3166-1 numeric code of the address, such as 36; null when never told.'),
  mobile_number: personText('As the member wrote it'),
  email_address: personText('Several members, such as a family, may share one'),
  membership_order_id: field(
    v.nullable(v.string()),
    'The order that the membership was bought in; null when there was none.',
  ),
  marketing_emails: field(v.boolean(), 'Whether the member agreed to marketing by email.'),
  membership_fulfilled: field(MembershipFulfilled, 'Whether the card and other goods have been sent.'),
  fulfillment_tracking_code: field(v.nullable(v.string()), 'Postage tracking code; null when there is none.'),
  instalments: field(v.boolean(), 'True when the membership is paid in instalments.'),
});
export type Member = v.InferOutput<typeof Member>;
