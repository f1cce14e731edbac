import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { optionalCode } from '../schemas/catalogue-text.ts';
import { dryRunField, dryRunQuery } from '../schemas/dry-run.ts';
import { MembershipPaymentOption } from '../schemas/membership-payment-option.ts';
import { paymentOptionFields } from './payment-option-fields.ts';

const { title, ...others } = paymentOptionFields;

export const createMembershipPaymentOption = defineOperation({
  id: 'create-membership-payment-option',
  resource: 'catalogue',
  summary: 'Create a membership payment option',
  description: `Creates a way to pay for memberships: in full or in instalments, with or without automatic renewal. Buyers can choose it for
every type, and for types with \`membership_payment_option_ids\` only if it is one of them. A membership in a basket keeps
the options that there were when it was added. Its id is its \`code\`.`,
  method: 'POST',
  paths: ['/v1/membership_payment_options'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    query: dryRunQuery,
    body: v.strictObject({
      ...dryRunField,
      code: optionalCode('membership payment option'),
      title,
      ...v.partial(v.strictObject(others)).entries,
      auto_renewal: v.optional(others.auto_renewal, 0),
      number_of_instalments: v.optional(others.number_of_instalments, 1),
      order_by: v.optional(others.order_by, 0),
      status: v.optional(others.status, 1),
    }),
  },
  output: { status: 201, schema: MembershipPaymentOption, problems: ['code_taken'] },
  effects: { access: [catalogueAccess.createPaymentOption], cannotBeUndone: false },
});

export type CreateMembershipPaymentOptionBody = v.InferOutput<(typeof createMembershipPaymentOption)['input']['body']>;
