import { matchesSearch, type SearchQuery, withoutPrefixes } from '../search/query.ts';
import { fieldWords } from '../search/text.ts';
import type { EventRecord } from './event.ts';

/** A row and its views are written in one transaction of at most 100 items, old and new words together. */
const maxWords = 40;

/** What an event is found by, any beginning of each. */
export function eventWords({ title }: Pick<EventRecord, 'title'>): string[] {
  return withoutPrefixes(fieldWords(title)).slice(0, maxWords);
}

export function eventMatches(event: EventRecord, search: SearchQuery): boolean {
  return matchesSearch(search, { words: eventWords(event), ids: [String(event.eventId)] });
}
