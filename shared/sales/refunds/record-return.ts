import { readBasket } from '../../data/baskets/baskets.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { refundsOf } from '../../domain/baskets/refunds.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import type { RefundRecord } from '../../domain/orders/refund.ts';
import type { ReturnedBy } from '../../domain/orders/tender.ts';
import { Fault } from '../../platform/fault.ts';
import { cancelOrRefundTickets, type OrderDeps } from './cancel-or-refund-tickets.ts';

export interface RefundReturn {
  readonly orderId: number;
  /** The number of the refund within its order. */
  readonly number: number;
  readonly returnedBy: ReturnedBy;
}

export type RecordedReturn =
  | { readonly outcome: 'returned'; readonly order: OrderRecord; readonly refund: RefundRecord }
  /** `not_awaited`: nobody has to hand its money over, or somebody has. Nothing was changed. */
  | { readonly outcome: 'missing' | 'not_awaited' };

/**
 * Records that somebody has handed over the money of a refund. Its units ended when it was recorded; one transaction now refunds them,
 * enters the money into the journal and announces it. Of two requests at the same moment, the second finds the refund done.
 */
export function recordReturn(
  deps: OrderDeps,
  { orderId, number, returnedBy }: RefundReturn,
  sideEffects: (order: OrderRecord, refund: RefundRecord) => readonly TransactItem[],
): Promise<RecordedReturn> {
  const { table, orgId } = deps;
  return retryRaces('refunds of this order', async (): Promise<RecordedReturn | undefined> => {
    const [placed, basket] = await Promise.all([
      readOrderWithTickets(table, orgId, orderId),
      readBasket(table, orgId, orderId),
    ]);
    const refund = placed && refundsOf(placed.order, basket).find((one) => one.number === number);
    if (placed === undefined || refund === undefined) return { outcome: 'missing' };
    if (refund.awaitsReturn !== true) return { outcome: 'not_awaited' };
    const wanted = {
      tickets: refund.ticketIds,
      members: refund.memberIds,
      to: 'refunded',
      returns: { number, returnedBy },
      ofVersion: placed.order.version,
    } as const;
    const changed = await cancelOrRefundTickets(deps, orderId, wanted, {
      refund: { ...refund, returnedBy },
      sideEffects: ({ after: { order } }) => sideEffects(order, refundIn(order, number)),
    });
    if (changed.outcome !== 'changed') return undefined;
    const { order } = changed.change.after;
    return { outcome: 'returned', order, refund: refundIn(order, number) };
  });
}

function refundIn({ orderId, refundsElsewhere }: OrderRecord, number: number): RefundRecord {
  const refund = refundsElsewhere.find((one) => one.number === number);
  if (refund === undefined) throw new Fault(`The refund ${number} of the order ${orderId} is not recorded.`);
  return refund;
}
