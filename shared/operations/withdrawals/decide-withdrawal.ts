import * as v from 'valibot';
import { withdrawingAccess } from '../../sales/withdrawals/access.ts';
import { defineOperation } from '../operation.ts';
import { Amount } from '../schemas/catalogue-text.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { Withdrawal } from '../schemas/withdrawal.ts';
import { receivedEvents, retrieveLink, withdrawalPath } from './withdrawal-operation.ts';

export const decideWithdrawal = defineOperation({
  id: 'decide-withdrawal',
  resource: 'withdrawals',
  summary: 'Decide a withdrawal',
  description: `Accepts or refuses a withdrawal that waits, because it came late or the membership was used; or one that nobody has confirmed.

Accepting ends the memberships at once and requests the refund of what was paid, less \`keep\` of each person's membership; open instalments are not owed any more. What a tender has paid
at the counter is a \`pending\` refund until record-refund-return. If the payment provider refuses the refund, the memberships are as they were, and the withdrawal
stays accepted: \`refund_status\` of retrieve-withdrawal is \`failed\`. Refusing changes nothing but the withdrawal. The first decision counts: a second one is 409 \`withdrawal_decided\`.`,
  method: 'POST',
  paths: ['/v1/withdrawals/{withdrawal_id}/decision'],
  auth: { kind: 'metered', scope: 'orders:write' },
  input: {
    params: withdrawalPath,
    body: v.strictObject({
      decision: field(v.picklist(['accept', 'refuse']), 'Whether the withdrawal is accepted.'),
      keep: v.optional(
        field(
          Amount,
          'With `accept`: what stays with you of each membership, in major units of the currency, such as the value of its use. At most what was paid.',
        ),
        0,
      ),
      reason: v.optional(
        field(v.nullable(text(500)), 'With `refuse`: why, for the buyer. Required then, and only then.'),
        null,
      ),
    }),
  },
  output: {
    schema: Withdrawal,
    problems: [
      'parameter_missing',
      'parameter_conflict',
      'withdrawal_decided',
      'ticket_already_refunded',
      'later_term_exists',
      'payment_in_progress',
    ],
    links: [retrieveLink],
  },
  effects: {
    access: [withdrawingAccess.decideWithdrawal],
    emits: receivedEvents,
    cannotBeUndone: true,
  },
});
