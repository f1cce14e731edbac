import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { Member } from '../schemas/member.ts';
import { metadataChange } from '../schemas/metadata.ts';

export const setMemberMetadata = defineOperation({
  id: 'set-member-metadata',
  resource: 'members',
  summary: 'Set the metadata of a member',
  description: `Changes the pairs that your own systems keep with the member. They are merged by key: keys that you do not send stay. A change sets
\`updated_at\` and is announced by \`member.updated\`. Metadata is erased with the member.`,
  method: 'PUT',
  paths: ['/v1/members/{membership_member_id}/metadata'],
  auth: { kind: 'metered', scope: 'members:write' },
  input: {
    params: v.strictObject({
      membership_member_id: field(v.string(), 'The membership_member_id of the member.'),
    }),
    body: v.strictObject({ metadata: metadataChange }),
  },
  output: { schema: Member },
  effects: { access: [membersAccess.changeMember], emits: ['member.updated'], cannotBeUndone: false },
});
