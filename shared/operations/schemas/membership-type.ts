import * as v from 'valibot';
import { Flag, field, Id, Integer, IsoTimestamp, Money, resource } from './fields.ts';

export const MembershipType = resource('MembershipType', 'A membership tier.', {
  membership_type_id: field(Id, 'Unique identifier of the membership type.'),
  membership_category_id: field(Id, 'The category of the membership type.'),
  category_title: field(v.string(), 'Title of the category.'),
  title: field(v.string(), 'Title of the membership type, as fans see it.'),
  price: field(Money, 'Price in major units of the currency: 240.5 is 240 dollars and 50 cents.'),
  expires: field(
    v.nullable(IsoTimestamp),
    'When memberships of this type expire, ISO 8601; null if they do not expire.',
  ),
  offer_auto_renew: field(Flag, '1 if buyers can choose automatic renewal, 0 if not.'),
  show_online: field(Flag, '1 if the membership type is offered online, 0 if not.'),
  game_day_access: field(Flag, '1 if the membership admits on game days, 0 if not.'),
  order_by: field(Integer, 'Position in lists, lowest first.'),
  status: field(Flag, 'Status of the membership type: 0 inactive, 1 active.'),
});
export type MembershipType = v.InferOutput<typeof MembershipType>;
