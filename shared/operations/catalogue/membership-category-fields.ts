import * as v from 'valibot';
import { Address, Colour, Position, Title } from '../schemas/catalogue-text.ts';
import { Flag, field, Id } from '../schemas/fields.ts';
import { metadataChange } from '../schemas/metadata.ts';

/** The fields of a membership category that a client sets, on creation and later. */
export const membershipCategoryFields = {
  title: field(Title, 'Title of the category, as fans see it.'),
  membership_seat_map_id: field(v.nullable(Id), 'Seat map with the seats of its members; null if there is none.'),
  show_online: field(Flag, '1 if the category is offered online, 0 if not.'),
  image: field(v.nullable(Address), 'URL of the image; null if there is none.'),
  game_day_access: field(Flag, '1 if its memberships admit on game days, 0 if not.'),
  hex_color: field(v.nullable(Colour), 'Display colour, such as #c8102e; null if none is set.'),
  order_by: field(Position, 'Position in lists, lowest first.'),
  status: field(Flag, 'Status of the category: 0 inactive, 1 active.'),
  metadata: metadataChange,
};

export const membershipCategoryPath = v.strictObject({
  membership_category_id: field(v.string(), 'The membership_category_id of the membership category.'),
});
