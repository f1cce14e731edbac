import { membershipAccess } from '../../data/membership/access.ts';
import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { MembershipType } from '../schemas/membership-type.ts';

export const listMembershipTypes = defineOperation({
  id: 'list-membership-types',
  resource: 'membership',
  summary: 'List all membership types',
  description:
    'Returns all membership types, with price, expiry and automatic renewal, sorted by order_by and then by id.',
  method: 'GET',
  paths: ['/v1/membership_types'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: {
      sees: 'the active membership types with `show_online`, of active categories with `show_online`',
      catalogue: true,
    },
  },
  output: { schema: listOf('membership_types', MembershipType) },
  effects: { access: [membershipAccess.readTypesInOrder] },
});
