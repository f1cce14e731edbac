import * as v from 'valibot';
import { instalmentStatuses } from '../../domain/plans/plan.ts';
import { Count, field, Id, Money, resource, UnixSeconds } from './fields.ts';
import { SavedCard } from './payment.ts';

export const Instalment = resource('Instalment', 'A share of the price of a membership.', {
  number: field(v.pipe(Count, v.minValue(1)), 'Its place in the plan, from 1. The first is paid with the order.'),
  due: field(UnixSeconds, 'When it is charged, in Unix seconds.'),
  amount: field(Money, 'The amount, in major units of the currency.'),
  status: field(
    v.picklist(instalmentStatuses),
    'A failed instalment is charged again 3, 7 and 12 days after it was due. One with action_required is not: the member pays it with pay-instalment. A cancelled one is not owed any more.',
  ),
  paid_at: field(v.nullable(UnixSeconds), 'When it was paid, in Unix seconds; null if it is not.'),
  attempts: field(Count, 'How often a charge of it began: by the service, or by pay-instalment.'),
  failure: field(
    v.nullable(v.string()),
    'Why it is not paid, in the words of the payment provider, such as insufficient_funds or authentication_required. `method_missing`: there is no saved card. `account_changed`: the card was saved for another payment account of the organisation. `membership_cancelled`: nobody of the membership is a member any more. Null if it was not declined.',
  ),
});

const planFields = {
  plan_id: field(Id, 'Unique identifier of the plan.'),
  order_id: field(Id, 'The order that bought the membership.'),
  membership_member_ids: field(v.array(Id), 'The members whose membership it pays for.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD.'),
  total: field(Money, 'What the membership costs without fees, in major units of the currency.'),
  paid: field(Money, 'What is paid of it, in major units of the currency.'),
  outstanding: field(Money, 'What is still to be paid, in major units of the currency.'),
  disputed_at: field(
    v.nullable(UnixSeconds),
    'When a charge of it was disputed, in Unix seconds: open instalments are not charged any more. The member can pay them with pay-instalment, or you cancel the membership. Null if none was disputed.',
  ),
};

/** An event has the instalment that it is about, and no others. */
export const PaymentPlanSummary = resource(
  'PaymentPlanSummary',
  'A payment plan without its instalments: see retrieve-payment-plan.',
  planFields,
);
export type PaymentPlanSummary = v.InferOutput<typeof PaymentPlanSummary>;

export const PaymentPlan = resource(
  'PaymentPlan',
  'How a membership is paid in instalments. It is that of all people who were bought together, such as a family.',
  {
    ...planFields,
    instalments: field(v.array(Instalment), 'The instalments, in the order of their numbers.'),
  },
);
export type PaymentPlan = v.InferOutput<typeof PaymentPlan>;

export const MemberPaymentPlan = resource('MemberPaymentPlan', 'A payment plan with the card to which it is charged.', {
  ...PaymentPlan.entries,
  payment_method: field(
    v.nullable(SavedCard),
    'The saved card; null if there is none, if the payment provider does not answer, or if it is that of a former owner of the membership.',
  ),
});
