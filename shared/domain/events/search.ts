import { matchesSearch, type SearchQuery } from '../search/query.ts';
import { type RowWords, rowWords } from '../search/row-words.ts';
import { fieldWords } from '../search/text.ts';
import type { EventRecord } from './event.ts';

/** A row and its views, with old and new words, are written in one transaction of at most 100 items. */
const maxWords = 40;

/** The words that an event is found by; the beginning of a word is enough. */
export function eventWords({ title }: Pick<EventRecord, 'title'>): RowWords {
  return rowWords([fieldWords(title)], maxWords);
}

export function eventMatches(event: EventRecord, search: SearchQuery): boolean {
  return matchesSearch(search, { ...eventWords(event), ids: [String(event.eventId)] });
}
