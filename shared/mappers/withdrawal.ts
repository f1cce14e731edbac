import { majorUnits } from '../domain/money.ts';
import type { Withdrawal as WithdrawalRecord } from '../domain/withdrawals/withdrawal.ts';
import type { Withdrawal } from '../operations/schemas/withdrawal.ts';

export function withdrawalResource(withdrawal: WithdrawalRecord): Withdrawal {
  const { orderId, amountMinor, refundNumber, currency } = withdrawal;
  return {
    withdrawal_id: withdrawal.withdrawalId,
    order_id: orderId,
    membership_member_ids: [...withdrawal.memberIds],
    status: withdrawal.status,
    received_at: withdrawal.receivedUnix,
    period_ends_at: withdrawal.periodEndsUnix,
    used: withdrawal.used,
    amount: amountMinor === null ? null : majorUnits(amountMinor, currency),
    currency,
    refund_id: refundNumber === null ? null : `${orderId}-${refundNumber}`,
    reason: withdrawal.reason,
  };
}

/** What a page learns that has proved nothing: the same for every order and address. */
export function askedWithdrawal(
  { withdrawalId, requestedUnix }: { readonly withdrawalId: string; readonly requestedUnix: number },
  orderId: number | undefined,
) {
  return {
    withdrawal_id: withdrawalId,
    order_id: orderId ?? null,
    membership_member_ids: null,
    status: 'unconfirmed' as const,
    received_at: requestedUnix,
    period_ends_at: null,
    used: null,
    amount: null,
    currency: null,
    refund_id: null,
    reason: null,
  };
}

/** The event that announces a withdrawal. It has no token: bodies of events are kept and listed. */
export function withdrawalAnnounced<const Step extends 'requested' | 'received' | 'decided'>(
  step: Step,
  withdrawal: WithdrawalRecord,
) {
  return { type: `order.withdrawal_${step}` as const, data: { withdrawal: withdrawalResource(withdrawal) } };
}
