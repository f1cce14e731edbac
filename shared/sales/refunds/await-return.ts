import { basketPut, changeBasket, readBasket } from '../../data/baskets/baskets.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { retryUntil } from '../../data/table/retry.ts';
import type { Basket, BasketRefund } from '../../domain/baskets/basket.ts';
import { paidElsewhere, planRefund, withoutRefund } from '../../domain/baskets/refunds.ts';
import { cancelOrRefundTickets, type OrderDeps } from './cancel-or-refund-tickets.ts';

/**
 * Ends the tickets of an order that a tender has paid, and records that somebody has to hand the money over. The same transaction takes the
 * refund from the basket: from then on it is in the order, as every refund of the counter.
 */
export async function awaitReturn(
  deps: OrderDeps,
  basketId: number,
  { number, requestId }: BasketRefund,
): Promise<void> {
  const { table, orgId } = deps;
  const orderDeps = { ...deps, requestId: requestId ?? deps.requestId };
  await retryUntil(`The refund ${number} of the order ${basketId} could not be moved to it.`, async () => {
    const [basket, placed] = await Promise.all([
      readBasket(table, orgId, basketId),
      readOrderWithTickets(table, orgId, basketId),
    ]);
    const refund = basket?.refunds.find((one) => one.number === number);
    if (basket === undefined || placed === undefined || refund === undefined) return 'ended';
    const plan = planRefund(paidElsewhere(placed.order), placed, { tickets: 'all' });
    const decide = (current: Basket) => withoutRefund(current, number);
    const after = decide(basket);
    if (plan.ticketIds.length === 0 || after.outcome !== 'changed') {
      // Staff have refunded it meanwhile.
      await changeBasket(table, { orgId, basketId, decide });
      return 'ended';
    }
    const wanted = {
      tickets: plan.ticketIds,
      to: 'cancelled',
      awaits: { ...plan, reason: refund.reason },
      ofVersion: placed.order.version,
    } as const;
    const moved = { ...after.basket, version: basket.version + 1 };
    const changed = await cancelOrRefundTickets(orderDeps, basketId, wanted, {
      callerItems: () => [basketPut(table, orgId, basket, moved)],
    });
    return changed.outcome === 'changed' ? 'ended' : undefined;
  });
}
