import type { Basket, Checkout } from '../../domain/baskets/basket.ts';
import { basketTickets } from '../../domain/baskets/line-item.ts';
import { itemsOfMemberships } from '../../domain/plans/order-items.ts';

/** An order needs at most this many items of a transaction, besides those of its tickets and its customer. */
const maxOtherItems = 37;

/** The most items that the transaction of an order has, without those of a new customer and of members whose prices it has. */
export function mostItemsOf({ lines }: Basket, { plan }: Checkout): number {
  const later = plan ? { plans: plan.lines.length, autoRenews: plan.autoRenews === true } : null;
  return basketTickets(lines) + itemsOfMemberships(lines, later) + maxOtherItems;
}
