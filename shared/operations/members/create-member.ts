import * as v from 'valibot';
import { memberLimits } from '../../domain/members/limits.ts';
import { isCalendarDay } from '../../domain/time/calendar-day.ts';
import { defineOperation } from '../operation.ts';
import { field, Id, nameText, resource } from '../schemas/fields.ts';

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));
const optional = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.optional(field(v.nullable(schema), description), null);
const [short, long] = [text(memberLimits.short), text(memberLimits.long)];

const aDay = 'a day such as 1988-02-29';
const Day = v.pipe(v.string(), v.isoDate(aDay), v.check(isCalendarDay, aDay));
/** Only the form: whether a post box is behind it shows when something is sent there. */
const Email = v.pipe(
  v.string(),
  v.maxLength(memberLimits.emailAddress, `an email address of at most ${memberLimits.emailAddress} characters`),
  v.regex(/^[^\s@]+@[^\s@]+$/, 'an email address'),
);
const Country = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(memberLimits.countryId));

export const createMember = defineOperation({
  id: 'create-member',
  resource: 'members',
  summary: 'Create a member',
  description: `The new member is unpaid (status 0) and not fulfilled. Its member number, the next of the organisation, and its barcode
are given by the service; with a membership type it takes on that type's category and expiry. Send an Idempotency-Key, so that
a repeat after a lost answer does not make a second member.`,
  method: 'POST',
  paths: ['/v1/members'],
  auth: { kind: 'metered', scope: 'members:write' },
  input: {
    body: v.strictObject({
      user_id: field(v.union([v.string(), Id]), 'The user_id of a customer of the organisation.'),
      first_name: field(nameText(memberLimits.long), 'Given name.'),
      last_name: field(nameText(memberLimits.long), 'Family name.'),
      membership_type_id: optional(Id, 'What the member bought; without it, to be assigned later.'),
      person_id: optional(short, "The same person across memberships, in the organisation's own records."),
      date_of_birth: optional(Day, 'YYYY-MM-DD.'),
      gender: optional(short, 'In the words of the member.'),
      company_name: optional(long, 'Company that the member belongs to.'),
      address: optional(long, 'First line of the postal address.'),
      address2: optional(long, 'Second line of the postal address.'),
      suburb: optional(long, 'Suburb or town.'),
      state: optional(long, 'State or region.'),
      postcode: optional(short, 'Postal code.'),
      country_id: optional(Country, 'ISO 3166-1 numeric code of the address, such as 36.'),
      mobile_number: optional(short, 'As the member wrote it.'),
      email_address: optional(Email, "Without it, the customer's. Several members, such as a family, may share one."),
      marketing_emails: v.optional(field(v.boolean(), 'Whether the member agreed to marketing by email.'), false),
    }),
  },
  output: {
    status: 201,
    schema: resource('CreatedMember', 'A member that was just created.', {
      member_id: field(v.string(), 'The membership_member_id of the new member, as text.'),
      first_name: field(v.string(), 'Given name.'),
    }),
    problems: ['resource_missing'],
  },
  effects: {
    access: {
      BAR: ['PutItem'],
      CUS: ['GetItem'],
      MCF: ['Query', 'ConditionCheckItem'],
      MEE: ['PutItem'],
      MEM: ['PutItem'],
      SEQ: ['UpdateItem'],
      UNI: ['PutItem'],
    },
    emits: ['member.created'],
  },
  runtime: { releasedGradually: true },
});

export type CreateMemberBody = v.InferOutput<(typeof createMember)['input']['body']>;
