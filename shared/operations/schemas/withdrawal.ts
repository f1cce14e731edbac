import * as v from 'valibot';
import { withdrawalStatuses } from '../../domain/withdrawals/withdrawal.ts';
import { field, Id, Money, resource, UnixSeconds } from './fields.ts';

const entries = {
  withdrawal_id: field(v.string(), 'Unique identifier of the withdrawal.'),
  order_id: field(Id, 'The order of the memberships.'),
  membership_member_ids: field(
    v.array(Id),
    'The members whose memberships it is about. People who bought one membership together withdraw together.',
  ),
  status: field(
    v.picklist(withdrawalStatuses),
    '`unconfirmed`: a page sent it, and its owner has not confirmed it. `received`: it waits for your decision. `accepted`: the memberships end, and `refund_id` returns what was paid. `refused`: nothing has changed.',
  ),
  received_at: field(
    UnixSeconds,
    'When it was first requested, in Unix seconds, also if it was confirmed later. This decides whether it is in time.',
  ),
  period_ends_at: field(
    UnixSeconds,
    'The first second after the period of withdrawal, at midnight in the time zone of the organisation, in Unix seconds.',
  ),
  used: field(
    v.nullable(v.boolean()),
    'Whether a member had entered an event or bought a price for members with it when it was received; null if it is not confirmed.',
  ),
  amount: field(
    v.nullable(Money),
    'What is returned, in major units of the currency; null if nobody has decided, or it was refused.',
  ),
  currency: field(v.string(), 'ISO 4217 code of the amount, such as AUD.'),
  refund_id: field(
    v.nullable(v.string()),
    'The refund, one of list-order-refunds; null if there is none. If the payment provider refuses it, the withdrawal stays accepted: see `refund_status` of retrieve-withdrawal.',
  ),
  reason: field(v.nullable(v.string()), 'Why it was refused; null if it was not.'),
};

export const Withdrawal = resource('Withdrawal', "A buyer's withdrawal from memberships of an order.", entries);
export type Withdrawal = v.InferOutput<typeof Withdrawal>;

const hidden = 'Null to a page that has to ask its user to confirm.';
const shown = <const Schema extends v.GenericSchema>(schema: Schema, meaning: string) =>
  field(v.nullable(schema), `${meaning} ${hidden}`);

export const RequestedWithdrawal = resource(
  'RequestedWithdrawal',
  'A withdrawal as its request returns it. To a page that sends an address and no token of the buyer, it is the same for every order and address.',
  {
    ...entries,
    order_id: field(v.nullable(Id), 'The order of the memberships; null if the path has not its number.'),
    membership_member_ids: shown(v.array(Id), 'The members whose memberships it is about.'),
    period_ends_at: shown(UnixSeconds, 'The first second after the period of withdrawal, in Unix seconds.'),
    currency: shown(v.string(), 'ISO 4217 code of the amount, such as AUD.'),
  },
);

export const RetrievedWithdrawal = resource(
  'RetrievedWithdrawal',
  'A withdrawal, with the token for your mail to the buyer and what became of the refund.',
  {
    ...entries,
    refund_status: field(
      v.nullable(v.picklist(['pending', 'succeeded', 'failed'])),
      '`pending`: the money is on its way, or awaits somebody who hands it over (record-refund-return). `failed`: the payment provider refused it, and the memberships are as they were; the withdrawal stays accepted, so return the money in another way. Null if there is no refund.',
    ),
    confirm_token: field(
      v.nullable(v.string()),
      'Of an `unconfirmed` withdrawal, for 24 hours: whoever sends it to confirm-withdrawal confirms it. Send it to the address of the order and to nobody else. Null of others, and if the organisation has no storefront token.',
    ),
  },
);
