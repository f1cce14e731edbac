import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { memberLimits } from '../../domain/members/limits.ts';
import { defineOperation } from '../operation.ts';
import { field, Id, resource } from '../schemas/fields.ts';
import { Day, emailText, IdOrText, nameText, text } from '../schemas/text.ts';

const optional = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.optional(field(v.nullable(schema), description), null);
const [short, long] = [text(memberLimits.short), text(memberLimits.long)];

const Country = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(memberLimits.countryId));

export const createMember = defineOperation({
  id: 'create-member',
  resource: 'members',
  summary: 'Create a member',
  description: `Creates a member that is unpaid (status 0) and not fulfilled. The service assigns the next member number of the organisation
and a barcode. With a membership type, the member gets the category and expiry of that type. Send an Idempotency-Key, so that a
retry after a lost response does not create a second member.`,
  method: 'POST',
  paths: ['/v1/members'],
  auth: { kind: 'metered', scope: 'members:write' },
  input: {
    body: v.strictObject({
      user_id: field(IdOrText, 'The user_id of a customer of the organisation.'),
      first_name: field(nameText(memberLimits.long), 'Given name of the member.'),
      last_name: field(nameText(memberLimits.long), 'Family name of the member.'),
      membership_type_id: optional(
        Id,
        'The membership type that the member holds, an active one; omit it to assign one later.',
      ),
      person_id: optional(
        short,
        "The organisation's own id of the person, the same for all memberships of that person.",
      ),
      date_of_birth: optional(Day, 'Date of birth, YYYY-MM-DD; not in the future.'),
      gender: optional(short, "Gender, in the member's own words."),
      company_name: optional(long, 'Company of the member.'),
      address: optional(long, 'First line of the postal address.'),
      address2: optional(long, 'Second line of the postal address.'),
      suburb: optional(long, 'Suburb or town.'),
      state: optional(long, 'State or region.'),
      postcode: optional(short, 'Postal code.'),
      country_id: optional(Country, 'ISO 3166-1 numeric country code of the address, such as 36.'),
      mobile_number: optional(short, 'Mobile number, stored as sent.'),
      email_address: optional(
        emailText(memberLimits.emailAddress),
        'Email address; defaults to that of the customer. Several members, such as a family, can share one.',
      ),
      marketing_emails: v.optional(field(v.boolean(), 'Whether the member agreed to marketing by email.'), false),
    }),
  },
  output: {
    status: 201,
    schema: resource('CreatedMember', 'A new member.', {
      member_id: field(v.string(), 'The membership_member_id of the new member, as a string.'),
      first_name: field(v.string(), 'Given name of the member.'),
    }),
    problems: ['resource_missing'],
  },
  effects: {
    access: [membersAccess.createMember],
    emits: ['member.created'],
    cannotBeUndone: false,
  },
  runtime: { releasedGradually: true },
});

export type CreateMemberBody = v.InferOutput<(typeof createMember)['input']['body']>;
