import { matchesSearch, type SearchQuery, withoutPrefixes } from '../search/query.ts';
import { fieldWords } from '../search/text.ts';
import type { EventRecord } from './event.ts';

/** A row and its views, with old and new words, are written in one transaction of at most 100 items. */
const maxWords = 40;

/** The words that an event is found by; a prefix of a word is enough. */
export function eventWords({ title }: Pick<EventRecord, 'title'>): string[] {
  return withoutPrefixes(fieldWords(title)).slice(0, maxWords);
}

export function eventMatches(event: EventRecord, search: SearchQuery): boolean {
  return matchesSearch(search, { words: eventWords(event), ids: [String(event.eventId)] });
}
