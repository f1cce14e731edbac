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
  effect: 'read',
  door: { kind: 'counted', scope: 'read' },
  status: 200,
  response: listOf('membership_categories', MembershipCategory),
  access: { MCF: ['Query'] },
});
