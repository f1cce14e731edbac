import type { ChargeOwner } from '../payments/charge-key.ts';
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

/** A dispute, and the payment that it is about. */
export interface DisputedPayment {
  readonly orgId: string;
  /** What was paid: a basket, whose order has its id, or an instalment. */
  readonly owner: ChargeOwner;
  readonly account: string | null;
  readonly chargeId: string;
  readonly dispute: Dispute;
}

/** What a bank does with the money of a disputed payment: it takes it from the organisation, and returns it if that wins. */
export type DisputeMove = 'withdrawn' | 'returned';

interface DisputedCharge {
  readonly disputeId: string;
  readonly chargeId: string;
  readonly account: string | null;
}

/** Records a dispute of an order's payment, which announces it once. A dispute of another payment changes nothing. */
export function recordDispute(basket: Basket, dispute: DisputedCharge): Decision {
  return recordOnce(basket, dispute, dispute.disputeId);
}

/** Records that money of a disputed payment moved, which enters it into the journal once. */
export function recordDisputeMove(basket: Basket, dispute: DisputedCharge, move: DisputeMove): Decision {
  return recordOnce(basket, dispute, disputeMoveName(dispute, move));
}

/** The name of what happened to the money of a dispute, by which it is recorded once. */
export function disputeMoveName({ disputeId }: Pick<Dispute, 'disputeId'>, move: DisputeMove): string {
  return `${disputeId}#${move}`;
}

function recordOnce(basket: Basket, { chargeId, account }: DisputedCharge, what: string): Decision {
  const { payment, disputes } = basket;
  const isOfOrder = payment?.chargeId === chargeId && payment.account === account;
  if (!isOfOrder || disputes.includes(what)) return { outcome: 'unchanged', basket };
  return { outcome: 'changed', basket: { ...basket, disputes: [...disputes, what] } };
}
