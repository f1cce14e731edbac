import { matchesSearch, normalizeId, type SearchQuery } from '../search/query.ts';
import { type RowWords, rowWords } from '../search/row-words.ts';
import { codeWords, emailWords, fieldWords } from '../search/text.ts';
import type { CustomerRecord } from './customer.ts';

/** A row and its views, with old and new words, are written in one transaction of at most 100 items. */
const maxWords = 40;

/** The words that a customer is found by; the beginning of a word is enough. */
export function customerWords(record: CustomerRecord): RowWords {
  const fields = [
    fieldWords(record.firstName),
    fieldWords(record.lastName),
    emailWords(record.emailAddress),
    codeWords(record.mobileNumber),
    codeWords(record.postcode),
  ];
  return rowWords(fields, maxWords);
}

/** The ids that a customer is found by; only the complete id matches. */
export function customerIds(record: Pick<CustomerRecord, 'orgCustomerId' | 'userId'>): string[] {
  return [...new Set([normalizeId(record.orgCustomerId), String(record.userId)])].filter((id) => id !== '');
}

export function customerMatches(record: CustomerRecord, search: SearchQuery): boolean {
  return matchesSearch(search, { ...customerWords(record), ids: customerIds(record) });
}
