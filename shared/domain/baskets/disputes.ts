import type { Basket } from './basket.ts';
import type { Decision } from './changes.ts';

/** What a payment provider reports about a dispute. */
export interface Dispute {
  readonly disputeId: string;
  readonly reason: string;
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly createdUnix: number;
}

/** Records a dispute of an order's payment, which announces it once. A dispute of another payment changes nothing. */
export function recordDispute(
  basket: Basket,
  {
    disputeId,
    chargeId,
    account,
  }: Pick<Dispute, 'disputeId'> & { readonly chargeId: string; readonly account: string | null },
): Decision {
  const { payment, disputes } = basket;
  const isOfOrder = payment?.chargeId === chargeId && payment.account === account;
  if (!isOfOrder || disputes.includes(disputeId)) return { outcome: 'unchanged', basket };
  return { outcome: 'changed', basket: { ...basket, disputes: [...disputes, disputeId] } };
}
