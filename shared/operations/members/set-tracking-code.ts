import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { memberLimits } from '../../domain/members/limits.ts';
import { defineOperation } from '../operation.ts';
import { field, resource } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';

export const setTrackingCode = defineOperation({
  id: 'set-tracking-code',
  resource: 'members',
  summary: 'Update the fulfilment tracking code of a member',
  description: `Records the tracking code and marks the member as fulfilled. Null, or an empty value in a form, clears the code and changes
nothing else.`,
  method: 'PUT',
  paths: ['/v1/members/{membership_member_id}/fulfillment_tracking_code'],
  auth: { kind: 'metered', scope: 'members:write' },
  input: {
    params: v.strictObject({
      membership_member_id: field(v.string(), 'The membership_member_id of the member.'),
    }),
    body: v.strictObject({
      fulfillment_tracking_code: field(v.nullable(text(memberLimits.short)), 'Postage tracking code; null clears it.'),
    }),
  },
  output: {
    schema: resource('MemberTrackingCode', 'The current tracking code of a member.', {
      membership_member_id: field(v.string(), 'The membership_member_id of the member, as a string.'),
      fulfillment_tracking_code: field(v.nullable(v.string()), 'Postage tracking code; null if there is none.'),
    }),
  },
  effects: { access: [membersAccess.changeMember], emits: ['member.updated'], cannotBeUndone: false },
});
