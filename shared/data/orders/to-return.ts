import { idText } from '../../domain/ids.ts';
import { noEventId, type OrderRecord } from '../../domain/orders/order.ts';
import { recordedSecondText } from '../../domain/time/time-buckets.ts';
import { ordersPartition } from '../table/keys.ts';

/** The orders of all events with money that somebody has to hand over, in index by1. */
export const ordersToReturnPartition = (orgId: string): string => ordersPartition(orgId, noEventId, 'return');

/**
 * Index by1 lists the orders with a refund that awaits its return, the oldest first. Nothing is owed of such an order, because what is owed is
 * written off before money goes back: so the index has room for it.
 */
export function returnIndexKeys(orgId: string, order: OrderRecord): object {
  const sortKey = returnSortKey(order);
  return sortKey === undefined ? {} : { by1pk: ordersToReturnPartition(orgId), by1sk: sortKey };
}

/** Undefined if nobody has to hand anything over. */
export function returnSortKey({ orderId, refundsElsewhere }: OrderRecord): string | undefined {
  const first = refundsElsewhere.find(({ awaitsReturn }) => awaitsReturn === true);
  return first && `${recordedSecondText(first.startedUnix)}#${idText(orderId)}`;
}
