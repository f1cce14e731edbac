import { membersAccess } from '../../data/members/access.ts';
import { termsAccess } from '../../data/terms/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { MemberTerm } from '../schemas/member-term.ts';
import { memberParams, ownerOnPage } from './payment-plan-path.ts';

export const listMemberTerms = defineOperation({
  id: 'list-member-terms',
  resource: 'members',
  summary: 'List the terms of a member',
  description: `Returns what was bought for the member through Gateline, oldest first, in one response. A term is never overwritten; a refund
or a cancellation only changes its \`state\`. A member that was imported or created with create-member has no terms. With a storefront token, the
token of the fan who owns the membership is needed in \`X-SSO-Token\`.`,
  method: 'GET',
  paths: ['/v1/members/{membership_member_id}/terms'],
  auth: { kind: 'metered', scope: 'read', ...ownerOnPage },
  input: { params: memberParams },
  output: { schema: listOf('member_terms', MemberTerm) },
  effects: { access: [membersAccess.readMember, termsAccess.termsOfMember, ssoAccess.findSignedInUser] },
});
