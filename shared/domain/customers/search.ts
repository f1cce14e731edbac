import { isFoundBy, type SearchQuery, wholeText, withoutBeginnings } from '../search/query.ts';
import { fieldWords, fold, inTurns } from '../search/text.ts';
import type { CustomerRecord } from './customer.ts';

/** A row and its views are written in one transaction of at most 100 items, old and new words together. */
const maxWords = 40;
const longestNumber = 50;

/** What a customer is found by, any beginning of each. */
export function customerWords(record: CustomerRecord): string[] {
  const fields = [
    fieldWords(record.firstName),
    fieldWords(record.lastName),
    fieldWords(record.emailAddress),
    [...numberWords(record.mobileNumber ?? ''), ...fieldWords(record.mobileNumber)],
    fieldWords(record.postcode),
  ];
  return withoutBeginnings(inTurns(fields)).slice(0, maxWords);
}

/** What a customer is found by only when it is given whole. */
export function customerIds(record: Pick<CustomerRecord, 'orgCustomerId' | 'userId'>): string[] {
  return [...new Set([wholeText(record.orgCustomerId), String(record.userId)])].filter((id) => id !== '');
}

export function isFound(record: CustomerRecord, search: SearchQuery): boolean {
  return isFoundBy(search, { words: customerWords(record), ids: customerIds(record) });
}

/** `+44 7700 900-123` is also known as `+447700900123` and `447700900123`. */
function numberWords(mobileNumber: string): string[] {
  const folded = fold(mobileNumber).trim();
  const joined = [...folded.replace(/[^\p{L}\p{N}]+/gu, '')].slice(0, longestNumber).join('');
  if (joined === '') return [];
  return folded.startsWith('+') ? [joined, `+${joined}`] : [joined];
}
