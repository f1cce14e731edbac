import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { optionalCode } from '../schemas/catalogue-text.ts';
import { MembershipCategory } from '../schemas/membership-category.ts';
import { membershipCategoryFields } from './membership-category-fields.ts';

const { title, ...others } = membershipCategoryFields;

export const createMembershipCategory = defineOperation({
  id: 'create-membership-category',
  resource: 'catalogue',
  summary: 'Create a membership category',
  description: 'Creates a membership category. Every membership type belongs to one.',
  method: 'POST',
  paths: ['/v1/membership_categories'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    body: v.strictObject({
      code: optionalCode('membership category'),
      title,
      ...v.partial(v.strictObject(others)).entries,
      show_online: v.optional(others.show_online, 1),
      game_day_access: v.optional(others.game_day_access, 0),
      order_by: v.optional(others.order_by, 0),
      status: v.optional(others.status, 1),
    }),
  },
  output: { status: 201, schema: MembershipCategory, problems: ['resource_missing', 'code_taken'] },
  effects: { access: [catalogueAccess.createMembershipCategory], cannotBeUndone: false },
});

export type CreateMembershipCategoryBody = v.InferOutput<(typeof createMembershipCategory)['input']['body']>;
