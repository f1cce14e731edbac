import * as v from 'valibot';
import { resource } from './fields.ts';
import { Member } from './member.ts';

const { entries } = v.pick(v.object(Member.entries), [
  'membership_member_id',
  'member_number',
  'membership_type_id',
  'category_title',
  'type_title',
  'barcode',
  'membership_member_status_id',
  'expires',
  'seat_section',
  'seat_aisle',
  'seat_row',
  'seat_level',
  'seat_gate',
  'seat_title',
]);

export const SsoMembership = resource('SsoMembership', 'A membership of the signed-in fan.', entries);
export type SsoMembership = v.InferOutput<typeof SsoMembership>;
