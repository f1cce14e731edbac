import * as v from 'valibot';
import { Flag, field, Id, Integer, resource } from './fields.ts';

export const MembershipCategory = resource('MembershipCategory', 'A group of membership types.', {
  membership_category_id: field(Id, 'The id that membership types refer to.'),
  membership_seat_map_id: field(v.nullable(Id), 'Seat map that its members have seats on; null when they have none.'),
  title: field(v.string(), 'The name that fans see.'),
  show_online: field(Flag, '1 when offered online, 0 when not.'),
  image: field(v.nullable(v.string()), 'Address of the image; null when there is none.'),
  game_day_access: field(Flag, '1 when its memberships admit on game days, 0 when not.'),
  hex_color: field(v.nullable(v.string()), 'Colour to show it in, such as #c8102e; null when none was chosen.'),
  order_by: field(Integer, 'Position in lists, lowest first.'),
  status: field(Flag, '0 inactive, 1 active.'),
});
export type MembershipCategory = v.InferOutput<typeof MembershipCategory>;
