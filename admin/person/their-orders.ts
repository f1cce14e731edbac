import { everyEvent } from '../../shared/data/admin/read-all.ts';
import { ordersByEmail, ordersOfUser } from '../../shared/data/orders/read.ts';
import type { OrderRecord } from '../../shared/domain/orders/order.ts';
import type { Person } from './section.ts';

/**
 * The orders of the customer at all events, and those that were imported without a customer but with this one's address: a
 * checkout would have found the customer by it. What is another customer's stays theirs.
 */
export async function theirOrders({ table, orgId, customer }: Person): Promise<readonly OrderRecord[]> {
  const orders = [...(await ordersOfUser(table, orgId, customer.userId, 'all'))];
  if (customer.emailAddress === null) return orders;
  for await (const { eventId } of everyEvent(table, orgId)) {
    const found = await ordersByEmail(table, orgId, eventId, customer.emailAddress);
    orders.push(...found.filter(({ userId }) => userId === null));
  }
  return orders;
}
