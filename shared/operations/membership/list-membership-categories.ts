import { membershipAccess } from '../../data/membership/access.ts';
import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { MembershipCategory } from '../schemas/membership-category.ts';

export const listMembershipCategories = defineOperation({
  id: 'list-membership-categories',
  resource: 'membership',
  summary: 'List all membership categories',
  description:
    'Returns all membership categories, sorted by order_by and then by id. A category groups membership types.',
  method: 'GET',
  paths: ['/v1/membership_categories'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: { sees: 'the active categories with `show_online`', catalogue: true },
  },
  output: { schema: listOf('membership_categories', MembershipCategory) },
  effects: { access: [membershipAccess.readCategoriesInOrder] },
});
