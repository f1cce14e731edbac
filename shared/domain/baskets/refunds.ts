import { isSold, type OrderWithTickets, ticketFeesMinor, ticketPriceMinor } from '../orders/order.ts';
import type { Basket, BasketRefund } from './basket.ts';
import { type Decision, refused } from './changes.ts';

/** Returns the pending refund. There is at most one at a time. */
export function pendingRefund({ refunds }: Pick<Basket, 'refunds'>): BasketRefund | undefined {
  return refunds.find(({ state }) => state === 'pending');
}

export interface RefundPlan {
  readonly ticketIds: readonly number[];
  readonly amountMinor: number;
}

/**
 * Plans a refund: the price of the tickets with their fees. The last tickets of an order get the whole remaining amount, which
 * includes a fee or a discount on the order. Tickets that are already cancelled or refunded are left out.
 */
export function planRefund(
  { payment, refunds }: Pick<Basket, 'payment' | 'refunds'>,
  { tickets }: OrderWithTickets,
  wanted: 'all' | readonly number[],
): RefundPlan {
  const sold = tickets.filter(isSold);
  const chosen = sold.filter(({ ticketId }) => wanted === 'all' || wanted.includes(ticketId));
  const refundedMinor = refunds
    .filter(({ state }) => state !== 'refused')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const remainingMinor = (payment?.amountMinor ?? 0) - refundedMinor;
  const costMinor = chosen.reduce((sum, ticket) => sum + ticketPriceMinor(ticket) + ticketFeesMinor(ticket), 0);
  const isLast =
    chosen.length === sold.length && tickets.every((ticket) => isSold(ticket) || isRefunded(refunds, ticket));
  return {
    ticketIds: chosen.map(({ ticketId }) => ticketId),
    amountMinor: isLast ? remainingMinor : Math.min(costMinor, remainingMinor),
  };
}

/** A ticket that was cancelled without a refund stays paid, so the last refund does not include its amount. */
function isRefunded(refunds: readonly BasketRefund[], { ticketId }: { readonly ticketId: number }): boolean {
  return refunds.some(({ state, ticketIds }) => state === 'done' && ticketIds.includes(ticketId));
}

/** Records a refund before money moves. A second refund waits until the first one has ended. */
export function beginRefund(basket: Basket, { ticketIds, amountMinor }: RefundPlan, nowUnix: number): Decision {
  if (pendingRefund(basket) !== undefined) return { outcome: 'unchanged', basket };
  const number = basket.refunds.length + 1;
  const refund: BasketRefund = { number, amountMinor, ticketIds, state: 'pending', startedUnix: nowUnix };
  return { outcome: 'changed', basket: { ...basket, refunds: [...basket.refunds, refund] } };
}

export function endRefund(basket: Basket, number: number, state: 'done' | 'refused'): Decision {
  if (pendingRefund(basket)?.number !== number) return refused(basket, { reason: 'taken_over' });
  const refunds = basket.refunds.map((refund) => (refund.number === number ? { ...refund, state } : refund));
  return { outcome: 'changed', basket: { ...basket, refunds } };
}
