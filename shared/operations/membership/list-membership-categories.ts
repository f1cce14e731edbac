import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { MembershipCategory } from '../schemas/membership-category.ts';

export const listMembershipCategories = defineOperation({
  id: 'list-membership-categories',
  resource: 'membership',
  summary: 'List membership categories',
  description: 'The groups of membership types, by order_by and then id. All in one answer.',
  method: 'GET',
  paths: ['/v1/membership_categories'],
  auth: { kind: 'metered', scope: 'read' },
  output: { schema: listOf('membership_categories', MembershipCategory) },
  effects: { access: { MCF: ['Query'] } },
});
