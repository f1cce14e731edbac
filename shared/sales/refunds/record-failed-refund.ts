import { basketPut, readBasket } from '../../data/baskets/baskets.ts';
import { changeTickets } from '../../data/orders/change-tickets.ts';
import { readOrder } from '../../data/orders/read.ts';
import { retryUntil } from '../../data/table/retry.ts';
import { putAlone } from '../../data/table/transact.ts';
import { termEnds } from '../../data/terms/terms.ts';
import type { Basket, BasketRefund } from '../../domain/baskets/basket.ts';
import { failRefund, hasFailedWholly } from '../../domain/baskets/refunds.ts';
import type { FailedCharge } from '../../domain/orders/refund.ts';
import { orderRefunded } from '../../mappers/order-events.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { Fault } from '../../platform/fault.ts';
import type { CheckoutDeps } from '../deps.ts';
import { readOrderContext } from './cancel-or-refund-tickets.ts';
import { recordFailedReturn } from './record-failed-return.ts';

interface FailedRefundCharge {
  readonly basketId: number;
  /** The number of the refund within its order. */
  readonly number: number;
  readonly failed: FailedCharge;
}

/**
 * Records, once, that the provider did not return a charge that it had accepted to return. One transaction books it back and announces it.
 * Places and access stay ended: the units are cancelled, as those of which the organisation keeps the money, and can be refunded again. Of
 * several charges, only what failed is kept. A share that is owed again because it was returned is paid again.
 */
export async function recordFailedRefund(
  deps: CheckoutDeps,
  { basketId, number, failed }: FailedRefundCharge,
): Promise<void> {
  const { table, orgId } = deps;
  await retryUntil(`The failed refund ${number} of the order ${basketId} could not be recorded.`, async () => {
    const basket = await readBasket(table, orgId, basketId);
    const refund = basket?.refunds.find((one) => one.number === number);
    // Its own process finds the outcome first. The provider sends an event again that is not acknowledged.
    if (refund?.state === 'pending') throw new Fault(`The refund ${number} of the order ${basketId} is still pending.`);
    const after = basket && failRefund(basket, number, failed);
    if (basket === undefined || refund === undefined || after === undefined) return 'ended';
    const share = refund.returnedShares?.find(({ key }) => key === failed.key);
    if (share !== undefined) return recordFailedReturn(deps, { basket, recorded: after, refund, share, failed });
    return bookBack(deps, { basket, recorded: after, refund, failed });
  });
}

interface FailedBasket {
  readonly basket: Basket;
  /** The basket with the failure. */
  readonly recorded: Basket;
  readonly refund: BasketRefund;
  readonly failed: FailedCharge;
}

/** Undefined if something has changed meanwhile. */
async function bookBack(
  deps: CheckoutDeps,
  { basket, recorded, refund, failed }: FailedBasket,
): Promise<'ended' | undefined> {
  const { table, orgId, clock } = deps;
  const { basketId } = basket;
  const put = basketPut(table, orgId, basket, { ...recorded, version: basket.version + 1 });
  const { ticketIds: tickets, memberIds: members, requestId } = refund;
  if (tickets.length + members.length === 0) {
    return put.Put !== undefined && (await putAlone(table, put.Put)) ? 'ended' : undefined;
  }
  const order = await readOrder(table, orgId, basketId);
  const context = await readOrderContext(deps, order);
  const isWhole = hasFailedWholly(refund, failed);
  const shown = recorded.refunds.find((one) => one.number === refund.number) ?? refund;
  const undoes = { refund, failedMinor: failed.amountMinor, isWhole };
  const wanted = { tickets, members, to: 'cancelled', atUnix: Math.floor(clock.nowMs() / 1000), undoes } as const;
  const changed = await changeTickets(table, { orgId, orderId: basketId }, wanted, {
    booking: { nowMs: () => clock.nowMs() },
    callerItems: ({ ended }) => [put, ...termEnds(table, orgId, ended, 'cancelled')],
    sideEffects: ({ before, after: placed }) => {
      // The buyer may have been erased since the context was read.
      const fresh = before.order.version === order?.version ? context : { fan: undefined, event: context.event };
      const cause = { nowMs: clock.nowMs(), requestId: requestId ?? undefined };
      return outboxItems(table, orgId, orderRefunded(orgId, placed, shown, fresh), cause);
    },
  });
  return changed.outcome === 'changed' ? 'ended' : undefined;
}
