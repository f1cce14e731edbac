import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { memberLimits } from '../../domain/members/limits.ts';
import { defineOperation } from '../operation.ts';
import { Count, field, Id, resource } from '../schemas/fields.ts';
import { IdOrDigits, maxCharacters } from '../schemas/text.ts';

export const fulfilMembers = defineOperation({
  id: 'fulfil-members',
  resource: 'members',
  summary: 'Mark members as fulfilled',
  description: `Records that the card and other goods of up to 500 members were sent. Members that are already fulfilled keep their original
fulfilment date. A tracking code is recorded in both cases; an omitted or empty one changes nothing. A member that is listed twice counts
once, with its last tracking code. You can safely repeat the request.`,
  method: 'POST',
  paths: ['/v1/members/fulfilments'],
  auth: { kind: 'metered', scope: 'members:write' },
  input: {
    body: v.strictObject({
      members: field(
        v.pipe(
          v.array(
            v.strictObject({
              membership_member_id: field(IdOrDigits, 'The id of the member.'),
              fulfillment_tracking_code: v.optional(
                field(
                  v.nullable(v.pipe(v.string(), ...maxCharacters(memberLimits.short))),
                  'Postage tracking code; null or an empty text changes nothing.',
                ),
              ),
            }),
          ),
          v.minLength(1),
          v.maxLength(500),
        ),
        'The members to mark, 1 to 500.',
      ),
    }),
  },
  output: {
    schema: resource('FulfilledMembers', 'The result of a bulk fulfilment.', {
      members_fulfilled: field(Count, 'The number of listed members that are now fulfilled, each counted once.'),
      not_found: field(
        v.array(Id),
        'The listed ids that are not members of the organisation, each once, in the order of the list.',
      ),
    }),
  },
  effects: { access: [membersAccess.changeMembers], emits: ['member.updated'], cannotBeUndone: false },
  runtime: {
    // The 1,500 writes for 500 members take a moment on AWS, and several seconds on a small machine that runs everything locally.
    timeoutSeconds: 25,
  },
});

export type FulfilMembersBody = v.InferOutput<(typeof fulfilMembers)['input']['body']>;
