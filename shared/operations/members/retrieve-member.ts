import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { Member } from '../schemas/member.ts';

export const retrieveMember = defineOperation({
  id: 'retrieve-member',
  resource: 'members',
  summary: 'Retrieve a member',
  description: 'One member of the organisation.',
  method: 'GET',
  paths: ['/v1/members/{membership_member_id}'],
  effect: 'read',
  door: { kind: 'counted', scope: 'read' },
  params: v.strictObject({
    membership_member_id: field(v.string(), 'The membership_member_id of the member.'),
  }),
  status: 200,
  response: Member,
  access: { MEM: ['GetItem'] },
});
