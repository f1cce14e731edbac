import * as v from 'valibot';
import { Count, Flag, field, Integer, resource, UnixSeconds, Version } from './fields.ts';

export const MembershipPaymentOption = resource(
  'MembershipPaymentOption',
  'A payment option for memberships: in full or in instalments, with or without automatic renewal.',
  {
    membership_payment_option_id: field(v.string(), 'Unique identifier of the payment option.'),
    title: field(v.string(), 'Title of the payment option, as fans see it.'),
    auto_renewal: field(Flag, '1 if memberships with this option renew automatically, 0 if not.'),
    fixed_end_date: field(
      v.nullable(UnixSeconds),
      'When memberships with this option end, in Unix seconds; null if there is no fixed end.',
    ),
    number_of_instalments: field(Count, 'The number of instalments; 0 or 1 if the membership is paid in full.'),
    order_by: field(Integer, 'Position in lists, lowest first.'),
    status: field(Flag, 'Status of the payment option: 0 inactive, 1 active. Lists contain the active ones.'),
    code: field(
      v.string(),
      "The organisation's own short name for the payment option, by which imports identify it: its id.",
    ),
    version: field(
      Version,
      'Raised by every change of the payment option. Send it in If-Match, so that no other change is lost.',
    ),
  },
);
export type MembershipPaymentOption = v.InferOutput<typeof MembershipPaymentOption>;
