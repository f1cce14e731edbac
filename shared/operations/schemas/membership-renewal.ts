import * as v from 'valibot';
import { renewalStatuses } from '../../domain/renewals/renewal.ts';
import { Count, field, Id, Money, resource, UnixSeconds } from './fields.ts';

export const MembershipRenewal = resource(
  'MembershipRenewal',
  'The next renewal of a membership that renews itself: of all people who were bought together. It is never charged earlier or more than announced.',
  {
    membership_member_ids: field(v.array(Id), 'The members who are renewed.'),
    expires: field(UnixSeconds, 'When the term ends that is renewed, in Unix seconds.'),
    status: field(
      v.picklist(['planned', ...renewalStatuses]),
      '`planned`: not announced yet. `announced`: charged when it is due. `not_offered`: the membership has no type to be renewed as, or it is not on sale. `failed`: declined, and charged again 3, 7 and 12 days after it was due. `action_required`: declined, and not charged again: the member saves another card with set-payment-method, or renews with a basket.',
    ),
    membership_type_id: field(v.nullable(Id), 'The type of the next term; null if it is not offered.'),
    due: field(v.nullable(UnixSeconds), 'When it is charged, in Unix seconds; null if it is not offered.'),
    amount: field(
      v.nullable(Money),
      'What is charged then: the price, or its first instalment, in major units of the currency; null if it is not offered.',
    ),
    price: field(
      v.nullable(Money),
      'The price of the next term, in major units of the currency; null if it is not offered.',
    ),
    currency: field(v.nullable(v.string()), 'ISO 4217 code, such as AUD; null if it is not offered.'),
    attempts: field(Count, 'How often the service began to charge it.'),
    failure: field(
      v.nullable(v.string()),
      'Why it is not paid, in the words of the payment provider, such as insufficient_funds or authentication_required. `method_missing`: there is no saved card. `account_changed`: the card was saved for another payment account of the organisation. `plan_open`: instalments of this term are outstanding. Null if it was not declined.',
    ),
    next_attempt: field(v.nullable(UnixSeconds), 'When a failed one is charged again, in Unix seconds; null if never.'),
  },
);
export type MembershipRenewal = v.InferOutput<typeof MembershipRenewal>;
