import { readBasket } from '../../shared/data/baskets/baskets.ts';
import { readOrder } from '../../shared/data/orders/read.ts';
import { refundsOf } from '../../shared/domain/baskets/refunds.ts';
import { nameIdentity } from '../../shared/domain/customers/shared-address.ts';
import { ownsAddress, type Person } from './section.ts';

/**
 * Whether an order, and with it each of its refunds, belongs to the person. An order without a customer may be erased already and
 * then has no address: its own refunds have no reason any more, and neither may their copies. One that the counter sold to nobody in
 * particular never had a buyer, so it is nobody's.
 */
export async function ownsOrder(person: Person, orderId: number): Promise<boolean> {
  const { table, orgId, customer } = person;
  const order = await readOrder(table, orgId, orderId);
  if (order === undefined) return false;
  if (order.userId !== null) return order.userId === customer.userId;
  if (order.tender !== undefined) return false;
  if (order.emailAddress !== null) return ownsAddress(person, order.emailAddress, nameIdentity(order));
  return refundsOf(order, await readBasket(table, orgId, orderId)).every(({ reason }) => reason === null);
}
