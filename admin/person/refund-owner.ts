import { readOrder } from '../../shared/data/orders/read.ts';
import { nameIdentity } from '../../shared/domain/customers/shared-address.ts';
import { ownsAddress, type Person } from './section.ts';

/**
 * Whether an order, and with it each of its refunds, belongs to the person. One without a customer and an address is nobody's, unless
 * this erasure has found it by the address that it had: a walk-up at the counter and an import may have neither.
 */
export async function ownsOrder(person: Person, orderId: number, erased: ReadonlySet<number>): Promise<boolean> {
  const { table, orgId, customer } = person;
  const order = await readOrder(table, orgId, orderId);
  if (order === undefined) return false;
  if (order.userId !== null) return order.userId === customer.userId;
  return order.emailAddress === null
    ? erased.has(orderId)
    : ownsAddress(person, order.emailAddress, nameIdentity(order));
}
