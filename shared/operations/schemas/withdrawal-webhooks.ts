import { webhookEvent } from './webhook-envelope.ts';
import { Withdrawal } from './withdrawal.ts';

/** The events of withdrawals. */
export const withdrawalWebhooks = {
  'order.withdrawal_requested': webhookEvent(
    'order.withdrawal_requested',
    'OrderWithdrawalRequestedEvent',
    'Somebody typed the order and the address of its buyer into your page to withdraw. Fetch the `confirm_token` with retrieve-withdrawal, and send that address a link to your shop within a day. An address is announced once a day. No event has a token.',
    { withdrawal: Withdrawal },
  ),
  'order.withdrawal_received': webhookEvent(
    'order.withdrawal_received',
    'OrderWithdrawalReceivedEvent',
    'A buyer withdrew. Confirm to the buyer at once that you received it, with the content of the statement and `received_at`.',
    { withdrawal: Withdrawal },
  ),
  'order.withdrawal_decided': webhookEvent(
    'order.withdrawal_decided',
    'OrderWithdrawalDecidedEvent',
    'A withdrawal was accepted, by itself or by your staff, or refused with a `reason`.',
    { withdrawal: Withdrawal },
  ),
};
