import { matchesSearch, type SearchQuery } from '../search/query.ts';
import { type RowWords, rowWords } from '../search/row-words.ts';
import { emailWords, fieldWords } from '../search/text.ts';
import type { OrderRecord } from './order.ts';

/** The limit on tickets and prices of an order leaves space for this many words in each of its transactions. */
const maxWords = 20;

/** The words that an order is found by; the beginning of a word is enough. */
export function orderWords(order: Pick<OrderRecord, 'firstName' | 'lastName' | 'emailAddress'>): RowWords {
  const fields = [fieldWords(order.firstName), fieldWords(order.lastName), emailWords(order.emailAddress)];
  return rowWords(fields, maxWords);
}

/** The ids that an order is found by; only the complete id matches. */
function orderIds({ orderId, orderUuid }: Pick<OrderRecord, 'orderId' | 'orderUuid'>): string[] {
  return [String(orderId), orderUuid.toLowerCase()];
}

export function orderMatches(order: OrderRecord, search: SearchQuery): boolean {
  return matchesSearch(search, { ...orderWords(order), ids: orderIds(order) });
}
