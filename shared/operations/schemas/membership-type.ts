import * as v from 'valibot';
import { Count, Flag, field, Id, Integer, IsoTimestamp, Money, resource, UnixSeconds, Version } from './fields.ts';
import { keyOnlyMetadata } from './metadata.ts';

export const MembershipType = resource('MembershipType', 'A membership tier.', {
  membership_type_id: field(Id, 'Unique identifier of the membership type.'),
  membership_category_id: field(Id, 'The category of the membership type.'),
  category_title: field(v.string(), 'Title of the category.'),
  title: field(v.string(), 'Title of the membership type, as fans see it.'),
  price: field(Money, 'Price in major units of the currency: 240.5 is 240 dollars and 50 cents.'),
  currency: field(
    v.nullable(v.string()),
    'The currency of the price, such as AUD; null if none is set: the membership is then not sold here.',
  ),
  tax_rate: field(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
    'The percentage of tax that the price contains, such as 19; null if it is not set.',
  ),
  capacity: v.optional(
    field(
      v.nullable(Count),
      'How many memberships of this type there can be; null if there is no limit. Only with an API key.',
    ),
  ),
  available_from_unix: field(v.nullable(UnixSeconds), 'Start of the sale, in Unix seconds; null if there is none.'),
  available_until_unix: field(v.nullable(UnixSeconds), 'End of the sale, in Unix seconds; null if there is none.'),
  persons: field(
    v.pipe(Count, v.minValue(1)),
    'How many people one purchase makes members: 1, 2 for a couple, up to 4 for a family.',
  ),
  term_months: field(
    v.nullable(Count),
    'How many months a membership lasts from its purchase; null if it lasts until `expires`.',
  ),
  expires: field(
    v.nullable(IsoTimestamp),
    'When memberships of this type expire, ISO 8601; null if they do not expire.',
  ),
  renews_as_membership_type_id: field(
    v.nullable(Id),
    "The type that a membership is renewed as, such as next season's; null if it is the same type, which then needs `term_months`.",
  ),
  membership_payment_option_ids: field(
    v.nullable(v.array(v.string())),
    'The payment options that buyers can choose from; null if all of them.',
  ),
  pro_rata: field(
    v.picklist(['none', 'month']),
    'Whether a membership that begins late costs less: `month` charges the share of the whole months that are left of the term, at least one. The term of a type that `expires` is counted from `available_from_unix`, or as twelve months; with `term_months` no term begins late.',
  ),
  max_entries: field(v.nullable(Count), 'How many events a membership admits to in a term; null if there is no limit.'),
  grace_days: field(Count, 'How many days an instalment may be overdue until gates no longer admit the member.'),
  withdrawal_days: field(
    Count,
    'For how many days after the purchase a buyer can withdraw from it, to the end of the last one in the time zone of the organisation; 0 if there is no right of withdrawal.',
  ),
  offer_auto_renew: field(Flag, '1 if buyers can choose automatic renewal, 0 if not.'),
  show_online: field(Flag, '1 if the membership type is offered online, 0 if not.'),
  game_day_access: field(Flag, '1 if the membership admits on game days, 0 if not.'),
  order_by: field(Integer, 'Position in lists, lowest first.'),
  status: field(Flag, 'Status of the membership type: 0 inactive, 1 active.'),
  code: field(v.string(), "The organisation's own short name for the membership type, by which imports identify it."),
  metadata: keyOnlyMetadata,
  version: field(
    Version,
    'Raised by every change of the membership type. Send it in If-Match, so that no other change is lost.',
  ),
});
export type MembershipType = v.InferOutput<typeof MembershipType>;

export const UpdatedMembershipType = resource('UpdatedMembershipType', 'A membership type after a change.', {
  ...MembershipType.entries,
  refresh_job_id: field(
    v.nullable(v.string()),
    'The job that writes the change into the members; null if they contain nothing of what was changed.',
  ),
});
