import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { UpdatedMembershipType } from '../schemas/membership-type.ts';
import { membershipTypeFields, membershipTypePath, membershipTypeProblems } from './membership-type-fields.ts';

export const updateMembershipType = defineOperation({
  id: 'update-membership-type',
  resource: 'catalogue',
  summary: 'Update a membership type',
  description: `Changes the fields that you send and leaves the others unchanged; null clears a field. Memberships that were bought keep their price and
their expiry. A membership type cannot be deleted: set its status to 0.

Members contain the title and the category of their type. The response shows a change at once; members follow within a few minutes,
100 a second, beginning half a minute later. Their \`updated_at\` stays. retrieve-job with \`refresh_job_id\` shows how far it is.`,
  method: 'PATCH',
  paths: ['/v1/membership_types/{membership_type_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: membershipTypePath,
    ifMatch: true,
    body: v.pipe(
      v.partial(v.strictObject(membershipTypeFields)),
      v.minEntries(1, 'Send at least one field to change.'),
    ),
  },
  output: { schema: UpdatedMembershipType, problems: [...membershipTypeProblems, 'capacity_taken'] },
  effects: { access: [catalogueAccess.updateMembershipType], cannotBeUndone: false },
});

export type UpdateMembershipTypeBody = v.InferOutput<(typeof updateMembershipType)['input']['body']>;
