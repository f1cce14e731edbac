import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { Member } from '../schemas/member.ts';

export const retrieveMember = defineOperation({
  id: 'retrieve-member',
  resource: 'members',
  summary: 'Retrieve a member',
  description: 'Returns one member of the organisation.',
  method: 'GET',
  paths: ['/v1/members/{membership_member_id}'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    params: v.strictObject({
      membership_member_id: field(v.string(), 'The membership_member_id of the member.'),
    }),
  },
  output: { schema: Member },
  effects: { access: [membersAccess.readMember] },
});
