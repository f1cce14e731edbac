import { membershipAccess } from '../../data/membership/access.ts';
import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { OfferedMembershipType } from '../schemas/offered-membership-type.ts';

export const listMembershipTypes = defineOperation({
  id: 'list-membership-types',
  resource: 'membership',
  summary: 'List all membership types',
  description:
    'Returns all membership types, with price, expiry, automatic renewal and the ways to pay for them, sorted by order_by and then by id.',
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
  output: { schema: listOf('membership_types', OfferedMembershipType) },
  effects: { access: [membershipAccess.readOfferedTypes] },
});
