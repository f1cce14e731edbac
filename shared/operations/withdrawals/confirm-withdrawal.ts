import * as v from 'valibot';
import { withdrawingAccess } from '../../sales/withdrawals/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { Withdrawal } from '../schemas/withdrawal.ts';
import { receivedEvents, retrieveLink, withdrawalPath } from './withdrawal-operation.ts';

export const confirmWithdrawal = defineOperation({
  id: 'confirm-withdrawal',
  resource: 'withdrawals',
  summary: 'Confirm a withdrawal',
  description: `Receives an \`unconfirmed\` withdrawal, as request-withdrawal describes. Your server gets the \`confirm_token\` from retrieve-withdrawal and sends it to the address of the
order, in a link to a page of your shop; the page sends it here. Whoever has it has read that mail. With another token, the withdrawal does not exist. An API key needs none.

Whether it is in time follows from \`received_at\`, the time of the first request. The token ends after 24 hours: then the response is 409 \`confirm_token_expired\`, and
the withdrawal stays listed for your staff. Confirming twice changes nothing and returns the withdrawal as it is.`,
  method: 'POST',
  paths: ['/v1/withdrawals/{withdrawal_id}/confirm'],
  auth: {
    kind: 'metered',
    scope: 'orders:write',
    storefront: { sees: 'the withdrawal whose confirm_token it sends' },
  },
  input: {
    params: withdrawalPath,
    body: v.strictObject({
      confirm_token: v.optional(field(text(200), 'The confirm_token of the withdrawal, with a storefront token.')),
    }),
  },
  output: {
    schema: Withdrawal,
    problems: ['parameter_missing', 'withdrawal_not_offered', 'withdrawal_open', 'confirm_token_expired'],
    links: [retrieveLink],
  },
  effects: {
    access: [withdrawingAccess.receiveWithdrawal],
    emits: receivedEvents,
    cannotBeUndone: true,
  },
});
