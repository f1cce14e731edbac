import { type OrderRecord, orderSortKey } from '../../domain/orders/order.ts';
import type { SortKeys } from '../positions/change.ts';

/** The list of all orders of an organisation. */
export const allOrders = 'all';

/** The position of an order never changes: it is the time at which it was placed. */
export function orderPositions(order: OrderRecord): SortKeys {
  return { [allOrders]: orderSortKey(order) };
}
