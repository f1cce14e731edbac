import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { termsAccess } from '../../data/terms/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { MemberTerm } from '../schemas/member-term.ts';

export const listMemberTerms = defineOperation({
  id: 'list-member-terms',
  resource: 'members',
  summary: 'List the terms of a member',
  description: `Returns what was bought for the member through Gateline, oldest first, in one response. A term is never overwritten; a refund
or a cancellation only changes its \`state\`. A member that was imported or created with create-member has no terms.`,
  method: 'GET',
  paths: ['/v1/members/{membership_member_id}/terms'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    params: v.strictObject({ membership_member_id: field(v.string(), 'The membership_member_id of the member.') }),
  },
  output: { schema: listOf('member_terms', MemberTerm) },
  effects: { access: [membersAccess.readMember, termsAccess.termsOfMember] },
});
