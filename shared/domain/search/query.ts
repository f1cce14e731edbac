import { queryWords, spaced } from './text.ts';

const longestId = 150;

/** What is looked for: every word of it must be the beginning of a word of the row, or one of the row's ids, whole. */
export interface SearchQuery {
  readonly words: readonly string[];
  /** The query as one text, for ids with spaces in them. */
  readonly whole: string;
}

/** No word that a row is known by begins with this. */
const foundNowhere = '\u0000';

/** Undefined when nothing is looked for. What is no space is looked for, also where it is nothing that a row is known by. */
export function parseSearch(query: string): SearchQuery | undefined {
  if (query.trim() === '') return undefined;
  const words = queryWords(query);
  return { words: words.length === 0 ? [foundNowhere] : words, whole: wholeText(query) };
}

/** What a row is found by: any beginning of a word, or a whole id. */
export interface SearchTerms {
  readonly words: readonly string[];
  readonly ids: readonly string[];
}

export function isFoundBy({ words, whole }: SearchQuery, known: SearchTerms): boolean {
  if (known.ids.includes(whole)) return true;
  return words.every((word) => known.ids.includes(word) || known.words.some((one) => one.startsWith(word)));
}

/** An id as it is compared. */
export function wholeText(text: string): string {
  return [...spaced(text).join(' ')].slice(0, longestId).join('');
}

/** A word that another one begins with finds nothing that the other does not find. */
export function withoutBeginnings(words: readonly string[]): string[] {
  const sorted = [...new Set(words)].sort();
  const needed = new Set(sorted.filter((word, index) => !sorted[index + 1]?.startsWith(word)));
  return [...new Set(words)].filter((word) => needed.has(word));
}
