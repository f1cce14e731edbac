import { hasOrders } from '../data/orders/has-orders.ts';
import { readStock } from '../data/prices/stock.ts';
import type { Table } from '../data/table/table.ts';

/**
 * Whether a ticket of the event was ever sold, or is held in a basket. A checkout holds its tickets before it reads the event,
 * and until it has become an order. So if nothing is sold or held, every later order is one of the event as it is then.
 */
export async function isSoldOrHeld(table: Table, orgId: string, eventId: number): Promise<boolean> {
  const [isSold, stocks] = await Promise.all([hasOrders(table, orgId, eventId), readStock(table, orgId, eventId)]);
  return isSold || [...stocks.values()].some(({ avail, capacity }) => avail < capacity);
}
