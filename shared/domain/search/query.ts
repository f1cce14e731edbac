import { queryWords, splitWords } from './text.ts';

const maxIdLength = 150;

/** A parsed search: each word must be a prefix of a word of the row, or equal one of the row's ids. */
export interface SearchQuery {
  readonly words: readonly string[];
  /** The query as one text, for ids with spaces in them. */
  readonly whole: string;
}

/** No word of a row starts with this. */
const unmatchableWord = '\u0000';

/** Returns undefined for an empty query. A query of characters that occur in no word, such as controls, matches no row. */
export function parseSearch(query: string): SearchQuery | undefined {
  if (query.trim() === '') return undefined;
  const words = queryWords(query);
  return { words: words.length === 0 ? [unmatchableWord] : words, whole: normalizeId(query) };
}

/** The terms that a row is found by: a prefix of a word, or a complete id. */
export interface SearchTerms {
  readonly words: readonly string[];
  readonly ids: readonly string[];
}

export function matchesSearch({ words, whole }: SearchQuery, known: SearchTerms): boolean {
  if (known.ids.includes(whole)) return true;
  return words.every((word) => known.ids.includes(word) || known.words.some((one) => one.startsWith(word)));
}

/** Returns an id in the form in which ids are compared. */
export function normalizeId(text: string): string {
  return [...splitWords(text).join(' ')].slice(0, maxIdLength).join('');
}

/** Removes the words that are a prefix of another word, because a search for them finds the other word too. */
export function withoutPrefixes(words: readonly string[]): string[] {
  const sorted = [...new Set(words)].sort();
  const needed = new Set(sorted.filter((word, index) => !sorted[index + 1]?.startsWith(word)));
  return [...new Set(words)].filter((word) => needed.has(word));
}
