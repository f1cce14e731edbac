import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { UpdatedMembershipCategory } from '../schemas/membership-category.ts';
import { membershipCategoryFields, membershipCategoryPath } from './membership-category-fields.ts';

export const updateMembershipCategory = defineOperation({
  id: 'update-membership-category',
  resource: 'catalogue',
  summary: 'Update a membership category',
  description: `Changes the fields that you send and leaves the others unchanged; null clears a field.

Members contain the title and the seat map of their category. The response shows a change at once; members follow within a few minutes,
100 a second, beginning half a minute later. Their \`updated_at\` stays. retrieve-job with \`refresh_job_id\` shows how far it is.`,
  method: 'PATCH',
  paths: ['/v1/membership_categories/{membership_category_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: membershipCategoryPath,
    ifMatch: true,
    body: v.pipe(
      v.partial(v.strictObject(membershipCategoryFields)),
      v.minEntries(1, 'Send at least one field to change.'),
    ),
  },
  output: { schema: UpdatedMembershipCategory, problems: ['resource_missing', 'parameter_missing'] },
  effects: { access: [catalogueAccess.updateMembershipCategory], cannotBeUndone: false },
});

export type UpdateMembershipCategoryBody = v.InferOutput<(typeof updateMembershipCategory)['input']['body']>;
