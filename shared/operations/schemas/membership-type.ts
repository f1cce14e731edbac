import * as v from 'valibot';
import { Flag, field, Id, Integer, IsoTimestamp, Money, resource } from './fields.ts';

export const MembershipType = resource('MembershipType', 'A tier that members can hold.', {
  membership_type_id: field(Id, 'The id that members and member-only prices refer to.'),
  membership_category_id: field(Id, 'The category that groups this type with others.'),
  category_title: field(v.string(), 'Title of that category.'),
  title: field(v.string(), 'The name that fans see.'),
  price: field(Money, 'A decimal number in major units: 240.5 is two hundred and forty dollars fifty.'),
  expires: field(v.nullable(IsoTimestamp), 'When memberships of this type end, ISO 8601; null when they do not.'),
  offer_auto_renew: field(Flag, '1 when buyers may choose automatic renewal, 0 when not.'),
  show_online: field(Flag, '1 when offered online, 0 when not.'),
  game_day_access: field(Flag, '1 when the membership admits on game days, 0 when not.'),
  order_by: field(Integer, 'Position in lists, lowest first.'),
  status: field(Flag, '0 inactive, 1 active.'),
});
export type MembershipType = v.InferOutput<typeof MembershipType>;
