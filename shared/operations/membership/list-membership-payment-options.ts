import { membershipAccess } from '../../data/membership/access.ts';
import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { MembershipPaymentOption } from '../schemas/membership-payment-option.ts';

export const listMembershipPaymentOptions = defineOperation({
  id: 'list-membership-payment-options',
  resource: 'membership',
  summary: 'List all active membership payment options',
  description:
    'Returns all active payment options for memberships (instalments, automatic renewal), sorted by order_by and then by id.',
  method: 'GET',
  paths: ['/v1/membership_payment_options'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: { sees: 'the same as an API key', catalogue: true },
  },
  output: { schema: listOf('membership_payment_options', MembershipPaymentOption) },
  effects: { access: [membershipAccess.readActivePaymentOptions] },
});
