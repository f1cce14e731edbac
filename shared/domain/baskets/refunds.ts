import { isSold, type OrderWithTickets, ticketFeesMinor, ticketPriceMinor } from '../orders/order.ts';
import type { Basket, BasketRefund } from './basket.ts';
import { type Decision, refused } from './changes.ts';

/** The refund that is on its way: there is one at a time. */
export function pendingRefund({ refunds }: Pick<Basket, 'refunds'>): BasketRefund | undefined {
  return refunds.find(({ state }) => state === 'pending');
}

export interface RefundPlan {
  readonly ticketIds: readonly number[];
  readonly amountMinor: number;
}

/**
 * What giving tickets back comes to: what they cost with their fees. Whoever gives the last ones back gets all that is left,
 * so that a fee or a discount on the whole order goes with them. Tickets that are cancelled or refunded already are left out.
 */
export function planRefund(
  { payment, refunds }: Pick<Basket, 'payment' | 'refunds'>,
  { tickets }: OrderWithTickets,
  wanted: 'all' | readonly number[],
): RefundPlan {
  const sold = tickets.filter(isSold);
  const chosen = sold.filter(({ ticketId }) => wanted === 'all' || wanted.includes(ticketId));
  const given = refunds
    .filter(({ state }) => state !== 'refused')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const left = (payment?.amountMinor ?? 0) - given;
  const cost = chosen.reduce((sum, ticket) => sum + ticketPriceMinor(ticket) + ticketFeesMinor(ticket), 0);
  const isLast =
    chosen.length === sold.length && tickets.every((ticket) => isSold(ticket) || isRefunded(refunds, ticket));
  return {
    ticketIds: chosen.map(({ ticketId }) => ticketId),
    amountMinor: isLast ? left : Math.min(cost, left),
  };
}

/** A ticket that was cancelled without its money stays paid for: the last refund is not for it. */
function isRefunded(refunds: readonly BasketRefund[], { ticketId }: { readonly ticketId: number }): boolean {
  return refunds.some(({ state, ticketIds }) => state === 'done' && ticketIds.includes(ticketId));
}

/** Writes a refund down before money moves; of two at once the second waits for the first. */
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
