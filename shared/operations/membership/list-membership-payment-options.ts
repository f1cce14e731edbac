import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { MembershipPaymentOption } from '../schemas/membership-payment-option.ts';

export const listMembershipPaymentOptions = defineOperation({
  id: 'list-membership-payment-options',
  resource: 'membership',
  summary: 'List all active membership payment options',
  description:
    'The ways to pay for a membership that are open now (instalments, renewal), by order_by and then id. All in one answer.',
  method: 'GET',
  paths: ['/v1/membership_payment_options'],
  auth: { kind: 'metered', scope: 'read' },
  output: { schema: listOf('membership_payment_options', MembershipPaymentOption) },
  effects: { access: { MCF: ['Query'] } },
});
