import type { EventRecord } from './event-record.ts';
import { fieldWords } from './search-text.ts';

/** A row and its views are written in one transaction of at most 100 items, old and new words together. */
const mostWords = 40;

/** What an event is found by, any beginning of each; a word that another one begins with is left out. */
export function eventWords({ title }: Pick<EventRecord, 'title'>): string[] {
  const words = [...new Set(fieldWords(title))].slice(0, mostWords);
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
}
