import type { CustomerRecord } from './customer-record.ts';
import { fieldWords, fold, queryWords, spaced } from './search-text.ts';

/** A row and its views are written in one transaction of at most 100 items, old and new words together. */
const mostWords = 40;
const longestId = 150;
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
  return withoutBeginnings(inTurns(fields)).slice(0, mostWords);
}

/** What a customer is found by only when it is given whole. */
export function customerIds(record: Pick<CustomerRecord, 'orgCustomerId' | 'userId'>): string[] {
  return [...new Set([wholeText(record.orgCustomerId), String(record.userId)])].filter((id) => id !== '');
}

export interface CustomerSearch {
  readonly words: readonly string[];
  /** The query as one text, for ids with spaces in them. */
  readonly whole: string;
}

/** No word that a customer is known by begins with this. */
const foundNowhere = '\u0000';

/** Undefined when nothing is looked for. What is no space is looked for, also where it is nothing that anybody is known by. */
export function parseSearch(query: string): CustomerSearch | undefined {
  if (query.trim() === '') return undefined;
  const words = queryWords(query);
  return { words: words.length === 0 ? [foundNowhere] : words, whole: wholeText(query) };
}

export function isFound(record: CustomerRecord, { words, whole }: CustomerSearch): boolean {
  const ids = customerIds(record);
  if (ids.includes(whole)) return true;
  const known = customerWords(record);
  return words.every((word) => ids.includes(word) || known.some((one) => one.startsWith(word)));
}

function wholeText(text: string): string {
  return [...spaced(text).join(' ')].slice(0, longestId).join('');
}

/** `+44 7700 900-123` is also known as `+447700900123` and `447700900123`. */
function numberWords(mobileNumber: string): string[] {
  const folded = fold(mobileNumber).trim();
  const joined = [...folded.replace(/[^\p{L}\p{N}]+/gu, '')].slice(0, longestNumber).join('');
  if (joined === '') return [];
  return folded.startsWith('+') ? [joined, `+${joined}`] : [joined];
}

/** The first of each, then the second of each: when words are too many, every field keeps some. */
function inTurns(lists: readonly (readonly string[])[]): string[] {
  const rounds = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat();
}

/** A word that another one begins with finds nothing that the other does not find. */
function withoutBeginnings(words: readonly string[]): string[] {
  const sorted = [...new Set(words)].sort();
  const needed = new Set(sorted.filter((word, index) => !sorted[index + 1]?.startsWith(word)));
  return [...new Set(words)].filter((word) => needed.has(word));
}
