import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { defineOperation } from '../operation.ts';
import { field, Id, sinceLastReading, UnixBound } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { Member, MemberStatusId, MembershipFulfilled } from '../schemas/member.ts';
import { searchRules } from '../schemas/search.ts';
import { maxCharacters } from '../schemas/text.ts';

const optional = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.optional(field(schema, description));

export const listMembers = defineOperation({
  id: 'list-members',
  resource: 'members',
  summary: 'List all members',
  description: `Without \`limit\`, returns all members in one response, compressed if the client accepts gzip. A response that ends before its
closing bracket is incomplete: request it again.

With \`limit\`, returns one page. Use \`cursor\` to synchronise all members: it neither skips nor repeats a member while the list
changes. \`page_number\` counts in the list as it is when you request the page, so members that come or go between two requests move
the others. A page has \`limit\` members unless the list ends with it, whatever filters you combine.

Members are sorted by id. With \`updated_since\` or \`updated_until\` they are sorted by last update, and a member that changes while
you page may appear again. Titles that a member contains, of its type and category, change without the member: after a new title, read all again.`,
  method: 'GET',
  paths: ['/v1/members'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    query: v.strictObject({
      updated_since: optional(
        UnixBound,
        `Only return members updated after this Unix time in seconds, or created after it and never updated. ${sinceLastReading}`,
      ),
      updated_until: optional(
        UnixBound,
        'Only return members last updated before this Unix time in seconds, or created before it and never updated.',
      ),
      created_since: optional(UnixBound, 'Only return members created after this Unix time in seconds.'),
      created_until: optional(UnixBound, 'Only return members created before this Unix time in seconds.'),
      membership_fulfilled: optional(MembershipFulfilled, 'Only return members that are fulfilled (yes) or not (no).'),
      membership_member_status_id: optional(
        MemberStatusId,
        'Only return members with this status: 0 unpaid, 1 paid, 2 instalments outstanding, 3 cancelled.',
      ),
      membership_type_id: optional(Id, 'Only return members that hold this membership type.'),
      membership_seat_map_id: optional(
        Id,
        'Only return members whose membership type belongs to a category on this seat map.',
      ),
      search: optional(
        v.pipe(v.string(), ...maxCharacters(1_000)),
        `Only return members that match every word of this text. A word matches if the member number, a name, the email address, the mobile
number or the postcode of the member contains a word that starts with it, or if it is the complete membership_member_id, user_id or
barcode. ${searchRules} An email address is also found by its domain; a member number, a mobile number or a postcode with and
without its spaces.`,
      ),
      limit: optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
        'The number of members per page; omit it to get all members in one response.',
      ),
      page_number: optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999_999)),
        'The page to return, starting at 1. Requires limit; cannot be combined with cursor.',
      ),
      cursor: optional(v.string(), 'The next_cursor of the previous page. Requires limit and the same filters.'),
    }),
    queryDependencies: {
      requires: { page_number: ['limit'], cursor: ['limit'] },
      excludes: [['page_number', 'cursor']],
    },
  },
  output: {
    schema: cursorListOf('members', Member),
    streamed: true,
    problems: ['parameter_conflict', 'cursor_invalid', 'too_many_members'],
  },
  effects: {
    access: [membersAccess.readMembersPage, membersAccess.readWholeList],
    secrets: ['cursors'],
  },
  runtime: { concurrency: 50 },
});

export type ListMembersQuery = v.InferOutput<(typeof listMembers)['input']['query']>;
