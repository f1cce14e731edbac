import * as v from 'valibot';
import { membershipLimits } from '../../domain/membership/limits.ts';
import { Amount, Capacity, Currency, Instant, Position, Title } from '../schemas/catalogue-text.ts';
import { Flag, field, Id, UnixBound } from '../schemas/fields.ts';
import { metadataChange } from '../schemas/metadata.ts';
import { text } from '../schemas/text.ts';

const upTo = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

/** The fields of a membership type that a client sets, on creation and later. */
export const membershipTypeFields = {
  membership_category_id: field(Id, 'The category of the membership type, one of list-membership-categories.'),
  title: field(Title, 'Title of the membership type, as fans see it.'),
  price: field(Amount, 'Price in major units of the currency: 240.5 is 240 dollars and 50 cents.'),
  currency: field(
    v.nullable(Currency),
    'The currency of the price, such as AUD; null if the membership is not sold here.',
  ),
  tax_rate: field(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
    'The percentage of tax that the price contains, such as 19, with at most three decimals.',
  ),
  capacity: field(
    v.nullable(Capacity),
    'How many memberships of this type there can be; null for no limit. It counts the memberships that are sold while there is a limit, and cannot be lower than those and the held ones.',
  ),
  available_from_unix: field(v.nullable(UnixBound), 'Start of the sale, in Unix seconds; null if there is none.'),
  available_until_unix: field(v.nullable(UnixBound), 'End of the sale, in Unix seconds; null if there is none.'),
  persons: field(
    upTo(1, membershipLimits.persons),
    'How many people one purchase makes members: 1, 2 for a couple, up to 4 for a family.',
  ),
  term_months: field(
    v.nullable(upTo(1, membershipLimits.termMonths)),
    'How many months a membership lasts from its purchase; null if it lasts until `expires`.',
  ),
  expires: field(
    v.nullable(Instant),
    'When memberships of this type expire, ISO 8601; null if they do not expire. Members keep the date that they have.',
  ),
  renews_as_membership_type_id: field(
    v.nullable(Id),
    "The type that a membership is renewed as, such as next season's; null if it is the same type, which then needs `term_months`.",
  ),
  membership_payment_option_ids: field(
    v.nullable(v.pipe(v.array(text(64)), v.minLength(1), v.maxLength(membershipLimits.paymentOptions))),
    'The payment options that buyers can choose from, of list-membership-payment-options; null if all of them.',
  ),
  pro_rata: field(
    v.picklist(['none', 'month']),
    'Whether a membership that begins late costs less: `month` charges the share of the whole months that are left of the term, at least one. The term of a type that `expires` is counted from `available_from_unix`, or as twelve months; with `term_months` no term begins late.',
  ),
  max_entries: field(
    v.nullable(upTo(1, membershipLimits.entries)),
    'How many events a membership admits to in a term; null for no limit. The first admission to an event uses one entry; then gates answer `no_entries_left`.',
  ),
  grace_days: field(
    upTo(0, membershipLimits.graceDays),
    'How many days an instalment may be overdue until gates no longer admit the member.',
  ),
  withdrawal_days: field(
    upTo(0, membershipLimits.withdrawalDays),
    'For how many days after the purchase a buyer can withdraw from it (request-withdrawal); 0 for no right of withdrawal. Each purchase keeps the days of its sale.',
  ),
  offer_auto_renew: field(Flag, '1 if buyers can choose automatic renewal, 0 if not.'),
  show_online: field(Flag, '1 if the membership type is offered online, 0 if not.'),
  game_day_access: field(Flag, '1 if the membership admits on game days, 0 if not.'),
  order_by: field(Position, 'Position in lists, lowest first.'),
  status: field(Flag, 'Status of the membership type: 0 inactive, 1 active. An inactive type keeps its members.'),
  metadata: metadataChange,
};

/** The problems of every way to save a membership type. */
export const membershipTypeProblems = ['resource_missing', 'parameter_conflict', 'parameter_missing'] as const;

export const membershipTypePath = v.strictObject({
  membership_type_id: field(v.string(), 'The membership_type_id of the membership type.'),
});
