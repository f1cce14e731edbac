import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { dryRunField, dryRunQuery } from '../schemas/dry-run.ts';
import { MembershipPaymentOption } from '../schemas/membership-payment-option.ts';
import { paymentOptionFields, paymentOptionPath } from './payment-option-fields.ts';

export const updateMembershipPaymentOption = defineOperation({
  id: 'update-membership-payment-option',
  resource: 'catalogue',
  summary: 'Update a membership payment option',
  description: `Changes the fields that you send and leaves the others unchanged; null clears a field.

Memberships that were bought keep their plan, and open baskets the options that they show. An option is never deleted: status 0 takes it
off sale.`,
  method: 'PATCH',
  paths: ['/v1/membership_payment_options/{membership_payment_option_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: paymentOptionPath,
    query: dryRunQuery,
    ifMatch: true,
    body: v.pipe(
      v.strictObject({ ...dryRunField, ...v.partial(v.strictObject(paymentOptionFields)).entries }),
      v.minEntries(1, 'Send at least one field to change.'),
    ),
  },
  output: { schema: MembershipPaymentOption, problems: ['parameter_missing'] },
  effects: { access: [catalogueAccess.updatePaymentOption], cannotBeUndone: false },
});

export type UpdateMembershipPaymentOptionBody = v.InferOutput<(typeof updateMembershipPaymentOption)['input']['body']>;
