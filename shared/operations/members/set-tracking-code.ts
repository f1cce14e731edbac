import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { field, resource } from '../schemas/fields.ts';
import { TrackingCode } from './tracking-code.ts';

export const setTrackingCode = defineOperation({
  id: 'set-tracking-code',
  resource: 'members',
  summary: 'Update the fulfilment tracking code of a membership',
  description: `Records the code and marks the member as fulfilled if that was not so already. Null, or an empty value in a form, clears
the code and changes nothing else.`,
  method: 'PUT',
  paths: ['/v1/members/{membership_member_id}/fulfillment_tracking_code'],
  auth: { kind: 'metered', scope: 'members:write' },
  input: {
    params: v.strictObject({
      membership_member_id: field(v.string(), 'The membership_member_id of the member.'),
    }),
    body: v.strictObject({
      fulfillment_tracking_code: field(v.nullable(TrackingCode), 'Postage tracking code; null clears it.'),
    }),
  },
  output: {
    schema: resource('MemberTrackingCode', 'The tracking code of a member, as it is now.', {
      membership_member_id: field(v.string(), 'The member, as text.'),
      fulfillment_tracking_code: field(v.nullable(v.string()), 'Postage tracking code; null when there is none.'),
    }),
  },
  effects: { access: { MEM: ['GetItem', 'PutItem'] }, emits: ['member.updated'] },
});
