import { sumOf } from '../money.ts';
import { isRefundable, type OrderRecord, type OrderWithTickets } from '../orders/order.ts';
import type { RefundRecord } from '../orders/refund.ts';
import { ticketsCostMinor, withDiscounts } from '../orders/ticket-discounts.ts';
import type { Basket, BasketRefund } from './basket.ts';
import { type Decision, refused } from './changes.ts';

/** The refunds of an order: those of its payment, or those of an order that was not paid here. */
export function refundsOf(
  { refundsElsewhere }: Pick<OrderRecord, 'refundsElsewhere'>,
  basket: Pick<Basket, 'payment' | 'refunds'> | undefined,
): readonly RefundRecord[] {
  return basket?.payment ? basket.refunds : refundsElsewhere;
}

/** Returns the pending refund that is executed next. Several may be pending, each for other tickets. */
export function pendingRefund({ refunds }: Pick<Basket, 'refunds'>): BasketRefund | undefined {
  return refunds.find(({ state }) => state === 'pending');
}

export interface RefundPlan {
  readonly ticketIds: readonly number[];
  readonly amountMinor: number;
}

/**
 * Plans a refund: what the tickets cost. The last tickets of an order get the whole remaining amount, which includes a fee on
 * the order. A ticket that was cancelled is paid for until it is refunded. Tickets that are
 * already refunded are left out, and those whose refund is pending.
 */
export function planRefund(
  { payment, refunds }: Pick<Basket, 'payment' | 'refunds'>,
  { order, tickets }: OrderWithTickets,
  wanted: 'all' | readonly number[],
): RefundPlan {
  const paid = withDiscounts(tickets, order).filter((ticket) => isRefundable(ticket) && !isTaken(refunds, ticket));
  const chosen = paid.filter(({ ticketId }) => wanted === 'all' || wanted.includes(ticketId));
  const refundedMinor = sumOf(refunds.filter(({ state }) => state !== 'refused').map(({ amountMinor }) => amountMinor));
  const remainingMinor = (payment?.amountMinor ?? 0) - refundedMinor;
  const costMinor = ticketsCostMinor(chosen);
  const isLast = chosen.length === paid.length;
  return {
    ticketIds: chosen.map(({ ticketId }) => ticketId),
    amountMinor: isLast ? remainingMinor : Math.min(costMinor, remainingMinor),
  };
}

/** A ticket can be cancelled while its refund is executed: then only the refund shows that its money was returned. */
function isTaken(refunds: readonly BasketRefund[], { ticketId }: { readonly ticketId: number }): boolean {
  return refunds.some(({ state, ticketIds }) => state !== 'refused' && ticketIds.includes(ticketId));
}

/** Records a refund before money moves. A ticket is in at most one refund that is pending or done. */
export function beginRefund(
  basket: Basket,
  { ticketIds, amountMinor }: RefundPlan,
  { nowUnix, reason, requestId }: Pick<BasketRefund, 'reason' | 'requestId'> & { readonly nowUnix: number },
): Decision {
  if (ticketIds.some((ticketId) => isTaken(basket.refunds, { ticketId }))) return { outcome: 'unchanged', basket };
  const number = basket.refunds.length + 1;
  const refund: BasketRefund = {
    number,
    amountMinor,
    ticketIds,
    state: 'pending',
    startedUnix: nowUnix,
    reason,
    requestId,
  };
  return { outcome: 'changed', basket: { ...basket, refunds: [...basket.refunds, refund] } };
}

export function endRefund(basket: Basket, number: number, state: 'done' | 'refused'): Decision {
  if (pendingRefund(basket)?.number !== number) return refused(basket, { reason: 'taken_over' });
  const refunds = basket.refunds.map((refund) => (refund.number === number ? { ...refund, state } : refund));
  return { outcome: 'changed', basket: { ...basket, refunds } };
}

/** A reason is free text, which may name the buyer. */
export function eraseRefundReasons(basket: Basket): Decision {
  if (basket.refunds.every(({ reason }) => reason === null)) return { outcome: 'unchanged', basket };
  return {
    outcome: 'changed',
    basket: { ...basket, refunds: basket.refunds.map((refund) => ({ ...refund, reason: null })) },
  };
}
