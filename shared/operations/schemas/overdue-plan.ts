import * as v from 'valibot';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';

const OverdueMember = resource('OverdueMember', 'A member who is overdue.', {
  membership_member_id: field(Id, 'Unique identifier of the member.'),
  member_number: field(v.nullable(v.string()), 'Member number; null if there is none.'),
  first_name: field(v.nullable(v.string()), 'Given name; null if it is unknown.'),
  last_name: field(v.nullable(v.string()), 'Family name; null if it is unknown.'),
  email_address: field(v.nullable(v.string()), 'Email address; null if it is unknown.'),
});

export const OverduePlan = resource('OverduePlan', 'A payment plan with an instalment that is overdue.', {
  plan_id: field(Id, 'Unique identifier of the plan.'),
  order_id: field(Id, 'The order that bought the membership.'),
  members: field(v.array(OverdueMember), 'The members whose membership it pays for.'),
  overdue_since: field(UnixSeconds, 'When the oldest instalment was due that is overdue, in Unix seconds.'),
  overdue: field(Money, 'What is overdue, in major units of the currency.'),
  outstanding: field(Money, 'What is still to be paid in all, in major units of the currency.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD.'),
  action_required: field(
    v.boolean(),
    'Whether the service does not charge an overdue instalment again: the member has to act.',
  ),
});
export type OverduePlan = v.InferOutput<typeof OverduePlan>;
