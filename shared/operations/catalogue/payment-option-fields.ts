import * as v from 'valibot';
import { membershipLimits } from '../../domain/membership/limits.ts';
import { Position, Title } from '../schemas/catalogue-text.ts';
import { Flag, field, UnixBound } from '../schemas/fields.ts';

/** The fields of a membership payment option that a client sets, on creation and later. */
export const paymentOptionFields = {
  title: field(Title, 'Title of the payment option, as fans see it.'),
  auto_renewal: field(Flag, '1 if memberships with this option renew automatically, 0 if not.'),
  fixed_end_date: field(
    v.nullable(UnixBound),
    'When memberships with this option end, in Unix seconds: every instalment is due before; null if there is no fixed end.',
  ),
  number_of_instalments: field(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(membershipLimits.instalments)),
    'The number of monthly instalments; 0 or 1 if the membership is paid in full.',
  ),
  order_by: field(Position, 'Position in lists, lowest first.'),
  status: field(Flag, 'Status of the payment option: 0 inactive, 1 active. Nobody can choose an inactive one.'),
};

export const paymentOptionPath = v.strictObject({
  membership_payment_option_id: field(v.string(), 'The membership_payment_option_id of the payment option.'),
});
