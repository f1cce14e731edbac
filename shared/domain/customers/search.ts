import { matchesSearch, normalizeId, type SearchQuery, withoutPrefixes } from '../search/query.ts';
import { fieldWords, fold, interleave } from '../search/text.ts';
import type { CustomerRecord } from './customer.ts';

/** A row and its views, with old and new words, are written in one transaction of at most 100 items. */
const maxWords = 40;
const maxNumberLength = 50;

/** The words that a customer is found by; a prefix of a word is enough. */
export function customerWords(record: CustomerRecord): string[] {
  const fields = [
    fieldWords(record.firstName),
    fieldWords(record.lastName),
    fieldWords(record.emailAddress),
    [...numberWords(record.mobileNumber ?? ''), ...fieldWords(record.mobileNumber)],
    fieldWords(record.postcode),
  ];
  return withoutPrefixes(interleave(fields)).slice(0, maxWords);
}

/** The ids that a customer is found by; only the complete id matches. */
export function customerIds(record: Pick<CustomerRecord, 'orgCustomerId' | 'userId'>): string[] {
  return [...new Set([normalizeId(record.orgCustomerId), String(record.userId)])].filter((id) => id !== '');
}

export function customerMatches(record: CustomerRecord, search: SearchQuery): boolean {
  return matchesSearch(search, { words: customerWords(record), ids: customerIds(record) });
}

/** `+44 7700 900-123` is also found by `+447700900123` and `447700900123`. */
function numberWords(mobileNumber: string): string[] {
  const folded = fold(mobileNumber).trim();
  const joined = [...folded.replace(/[^\p{L}\p{N}]+/gu, '')].slice(0, maxNumberLength).join('');
  if (joined === '') return [];
  return folded.startsWith('+') ? [joined, `+${joined}`] : [joined];
}
