import { idText } from '../../domain/ids.ts';
import { noEventId, type OrderRecord } from '../../domain/orders/order.ts';
import { invoiceOutstandingMinor } from '../../domain/orders/tender.ts';
import { recordedSecondText } from '../../domain/time/time-buckets.ts';
import { ordersPartition } from '../table/keys.ts';

/** The orders of all events of which something is owed, in index by1. */
export const owedOrdersPartition = (orgId: string): string => ordersPartition(orgId, noEventId, 'owed');

/** Index by1 lists the invoices of which something is owed, the oldest due first. */
export function owedIndexKeys(orgId: string, order: OrderRecord): object {
  const dueUnix = order.tender?.dueUnix;
  if (dueUnix === undefined || invoiceOutstandingMinor(order) === 0) return {};
  return { by1pk: owedOrdersPartition(orgId), by1sk: owedSortKey({ dueUnix, orderId: order.orderId }) };
}

/** The sort key of an order among those of which something is owed. */
export function owedSortKey({ dueUnix, orderId }: { readonly dueUnix: number; readonly orderId: number }): string {
  return `${recordedSecondText(dueUnix)}#${idText(orderId)}`;
}
