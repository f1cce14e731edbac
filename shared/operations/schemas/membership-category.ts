import * as v from 'valibot';
import { Flag, field, Id, Integer, resource, Version } from './fields.ts';
import { keyOnlyMetadata } from './metadata.ts';

export const MembershipCategory = resource('MembershipCategory', 'A group of membership types.', {
  membership_category_id: field(Id, 'Unique identifier of the category.'),
  membership_seat_map_id: field(v.nullable(Id), 'Seat map with the seats of its members; null if there is none.'),
  title: field(v.string(), 'Title of the category, as fans see it.'),
  show_online: field(Flag, '1 if the category is offered online, 0 if not.'),
  image: field(v.nullable(v.string()), 'URL of the image; null if there is none.'),
  game_day_access: field(Flag, '1 if its memberships admit on game days, 0 if not.'),
  hex_color: field(v.nullable(v.string()), 'Display colour, such as #c8102e; null if none is set.'),
  order_by: field(Integer, 'Position in lists, lowest first.'),
  status: field(Flag, 'Status of the category: 0 inactive, 1 active.'),
  code: field(v.string(), "The organisation's own short name for the category, by which imports identify it."),
  metadata: keyOnlyMetadata,
  version: field(
    Version,
    'Raised by every change of the category. Send it in If-Match, so that no other change is lost.',
  ),
});
export type MembershipCategory = v.InferOutput<typeof MembershipCategory>;

export const UpdatedMembershipCategory = resource(
  'UpdatedMembershipCategory',
  'A membership category after a change.',
  {
    ...MembershipCategory.entries,
    refresh_job_id: field(
      v.nullable(v.string()),
      'The job that writes the change into the members; null if they contain nothing of what was changed.',
    ),
  },
);
