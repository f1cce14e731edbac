import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { Count, field, Id, resource } from '../schemas/fields.ts';
import { TrackingCode } from './tracking-code.ts';

export const fulfilMembers = defineOperation({
  id: 'fulfil-members',
  resource: 'members',
  summary: 'Mark a set of members as fulfilled',
  description: `Says of up to 500 members that their card and other goods were sent. Who is fulfilled already keeps the first date;
a tracking code that is given is recorded in both cases, and one that is left out changes nothing. A member that comes twice
counts once, with the last code given for it. To send the same request again is safe, also after an answer that was lost.`,
  method: 'POST',
  paths: ['/v1/members/fulfilments'],
  auth: { kind: 'metered', scope: 'members:write' },
  input: {
    body: v.strictObject({
      members: field(
        v.pipe(
          v.array(
            v.strictObject({
              membership_member_id: field(Id, 'The member.'),
              fulfillment_tracking_code: v.optional(field(TrackingCode, 'Postage tracking code.')),
            }),
          ),
          v.minLength(1),
          v.maxLength(500),
        ),
        'The members, 1 to 500 of them.',
      ),
    }),
  },
  output: {
    schema: resource('FulfilledMembers', 'What became of the members of the list.', {
      members_fulfilled: field(Count, 'How many members of the list are fulfilled now, each counted once.'),
      not_found: field(
        v.array(Id),
        'The ids that name no member of the organisation, each once, in the order of the list.',
      ),
    }),
  },
  effects: { access: { MEM: ['BatchGetItem', 'PutItem'] }, emits: ['member.updated'] },
  runtime: {
    // The fifteen hundred writes of 500 members take a moment on AWS, and some seconds where one small machine does everything.
    timeoutSeconds: 25,
  },
});

export type FulfilMembersBody = v.InferOutput<(typeof fulfilMembers)['input']['body']>;
