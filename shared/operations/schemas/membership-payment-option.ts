import * as v from 'valibot';
import { Count, Flag, field, Integer, resource, UnixSeconds } from './fields.ts';

export const MembershipPaymentOption = resource(
  'MembershipPaymentOption',
  'A way to pay for a membership: at once or in instalments, once or renewing.',
  {
    membership_payment_option_id: field(v.string(), 'Names the option.'),
    title: field(v.string(), 'The name that fans see.'),
    auto_renewal: field(Flag, '1 when memberships paid this way renew themselves, 0 when not.'),
    fixed_end_date: field(
      v.nullable(UnixSeconds),
      'When memberships paid this way end, in Unix seconds; null when the option fixes no end.',
    ),
    number_of_instalments: field(Count, 'How many payments; 0 or 1 when all is paid at once.'),
    order_by: field(Integer, 'Position in lists, lowest first.'),
  },
);
export type MembershipPaymentOption = v.InferOutput<typeof MembershipPaymentOption>;
