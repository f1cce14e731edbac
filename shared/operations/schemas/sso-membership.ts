import * as v from 'valibot';
import { field, resource, UnixSeconds } from './fields.ts';
import { Member } from './member.ts';

const { entries } = v.pick(v.object(Member.entries), [
  'membership_member_id',
  'member_number',
  'first_name',
  'last_name',
  'membership_type_id',
  'category_title',
  'type_title',
  'barcode',
  'membership_member_status_id',
  'expires',
  'auto_renew',
  'seat_section',
  'seat_aisle',
  'seat_row',
  'seat_level',
  'seat_gate',
  'seat_title',
]);

export const SsoMembership = resource('SsoMembership', 'A membership of the signed-in fan.', {
  ...entries,
  cancelled_at: field(
    v.nullable(UnixSeconds),
    'When it was cancelled, in Unix seconds. A membership that was cancelled for its end is valid until it expires; null if it was not cancelled.',
  ),
});
export type SsoMembership = v.InferOutput<typeof SsoMembership>;
