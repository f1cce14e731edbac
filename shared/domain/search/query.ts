import { beginsWith, indexKey, type RowWords } from './row-words.ts';
import { comparedForm, cutWord, splitWords } from './text.ts';

const maxIdLength = 150;

/** A parsed search: each word must be the beginning of a word of the row, or equal one of the row's ids. */
export interface SearchQuery {
  readonly words: readonly SearchWord[];
  /** The query as one text, for ids with spaces in them. */
  readonly whole: string;
}

export interface SearchWord {
  /** The word with its punctuation, which is compared with ids. */
  readonly id: string;
  /** The word without punctuation, which is compared with the words of a row. */
  readonly form: string;
  /** Every row that has a word beginning with `form` has a key beginning with this. */
  readonly key: string;
}

/** No word of a row starts with this. */
const unmatchableWord = '\u0000';

/** Returns undefined for an empty query. A query of characters that occur in no word, such as controls, matches no row. */
export function parseSearch(query: string): SearchQuery | undefined {
  if (query.trim() === '') return undefined;
  const words = [...new Set(splitWords(query))];
  return { words: (words.length === 0 ? [unmatchableWord] : words).map(searchWord), whole: normalizeId(query) };
}

function searchWord(word: string): SearchWord {
  const form = comparedForm(word);
  return { id: cutWord(word), form, key: indexKey(form) };
}

/** Every row that has this text as one of its kept words has a key beginning with this. */
export function keyOfText(text: string): string {
  const [word = ''] = splitWords(text);
  return searchWord(word).key;
}

const maxIndexedWords = 8;

/**
 * The words to look up in an index. Every row that matches has a key beginning with each of them, or has its id. Of many words the
 * longest are the most selective; the others are only compared with the rows that are found.
 */
export function indexedWords(search: SearchQuery | undefined): readonly SearchWord[] {
  const longestFirst = [...(search?.words ?? [])].sort((one, other) => other.key.length - one.key.length);
  const needed = longestFirst.filter(
    ({ key }, index) => !longestFirst.slice(0, index).some((longer) => longer.key.startsWith(key)),
  );
  return needed.slice(0, maxIndexedWords);
}

/** The terms that a row is found by: the beginning of a word, or a complete id. */
export interface SearchTerms extends Pick<RowWords, 'forms'> {
  readonly ids: readonly string[];
}

export function matchesSearch({ words, whole }: SearchQuery, { forms, ids }: SearchTerms): boolean {
  if (ids.includes(whole)) return true;
  return words.every(({ id, form }) => ids.includes(id) || forms.some((one) => beginsWith(one, form)));
}

/** Returns an id in the form in which ids are compared. */
export function normalizeId(text: string): string {
  return [...splitWords(text).map(cutWord).join(' ')].slice(0, maxIdLength).join('');
}
