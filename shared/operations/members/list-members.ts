import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { field, Id, UnixBound } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { Member, MemberStatusId, MembershipFulfilled } from '../schemas/member.ts';

const optional = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.optional(field(schema, description));

export const listMembers = defineOperation({
  id: 'list-members',
  resource: 'members',
  summary: 'List all members',
  description: `Without \`limit\` every member comes in one response, compressed when the client accepts gzip; a response that ends
before its last bracket is incomplete and must be asked for again. With \`limit\` the list is paged: by \`cursor\`, which neither
skips nor repeats a member while members come and go, or by \`page_number\`. Members come in the order of their ids; with
\`updated_since\` or \`updated_until\` in the order of their last update, and one that changes during a walk may come again.
Where filters combine, a page by cursor may be shorter than \`limit\`, also empty, while \`has_more\` is true.`,
  method: 'GET',
  paths: ['/v1/members'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    query: v.strictObject({
      updated_since: optional(
        UnixBound,
        'Only members updated after this Unix second, or created after it and never updated.',
      ),
      updated_until: optional(
        UnixBound,
        'Only members last updated before this Unix second; never-updated ones by creation.',
      ),
      created_since: optional(UnixBound, 'Only members created after this Unix second.'),
      created_until: optional(UnixBound, 'Only members created before this Unix second.'),
      membership_fulfilled: optional(MembershipFulfilled, 'Only members whose goods have, or have not, been sent.'),
      membership_member_status_id: optional(
        MemberStatusId,
        '0 unpaid, 1 paid, 2 instalments outstanding, 3 cancelled.',
      ),
      membership_type_id: optional(Id, 'Only members holding this type.'),
      membership_seat_map_id: optional(Id, 'Only members whose type belongs to a category on this seat map.'),
      limit: optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
        'Page size; without it, all in one response.',
      ),
      page_number: optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999_999)),
        'Which page, from 1. Needs limit; not together with cursor.',
      ),
      cursor: optional(v.string(), 'The next_cursor of the page before. Needs limit and the same filters.'),
    }),
  },
  output: {
    schema: cursorListOf('members', Member),
    streamed: true,
    problems: ['parameter_conflict', 'cursor_invalid', 'too_many_members'],
  },
  effects: { access: { MEM: ['Query'], SEQ: ['GetItem'] }, usesSecret: true },
  runtime: { concurrency: 50 },
});

export type ListMembersQuery = v.InferOutput<(typeof listMembers)['input']['query']>;
