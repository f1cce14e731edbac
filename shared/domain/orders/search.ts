import { isFoundBy, type SearchQuery, withoutBeginnings } from '../search/query.ts';
import { fieldWords, inTurns } from '../search/text.ts';
import type { OrderRecord } from './order.ts';

/** How many tickets and prices an order may have leaves room for this many in each of its transactions. */
const maxWords = 20;

/** What an order is found by, any beginning of each. */
export function orderWords(order: Pick<OrderRecord, 'firstName' | 'lastName' | 'emailAddress'>): string[] {
  const fields = [fieldWords(order.firstName), fieldWords(order.lastName), fieldWords(order.emailAddress)];
  return withoutBeginnings(inTurns(fields)).slice(0, maxWords);
}

/** What an order is found by only when it is given whole. */
function orderIds({ orderId, orderUuid }: Pick<OrderRecord, 'orderId' | 'orderUuid'>): string[] {
  return [String(orderId), orderUuid.toLowerCase()];
}

export function isOrderFound(order: OrderRecord, search: SearchQuery): boolean {
  return isFoundBy(search, { words: orderWords(order), ids: orderIds(order) });
}
