import { beginsWith, indexKey, type RowWords } from './row-words.ts';
import { comparedForm, cutWord, splitWords } from './text.ts';

const maxIdLength = 150;

/**
 * A parsed search: each word must be the beginning of a word of the row, or equal one of the row's ids. Neighbouring words with
 * a digit may also be one word of the row: `sw1a 1aa` finds SW1A1AA.
 */
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
  /** The word joined with the next one, with the next two, and so on, in the form in which they are compared. */
  readonly joined: readonly string[];
}

/** No word of a row starts with this. */
const unmatchableWord = '\u0000';

/** Returns undefined for an empty query. A query of characters that occur in no word, such as controls, matches no row. */
export function parseSearch(query: string): SearchQuery | undefined {
  if (query.trim() === '') return undefined;
  const words = splitWords(query);
  // Words with digits may be joined with their neighbours, so they stay where they are.
  const wanted = words.some(hasDigit) ? words : [...new Set(words)];
  return { words: (wanted.length === 0 ? [unmatchableWord] : wanted).map(searchWord), whole: normalizeId(query) };
}

/** A phone number or a postcode has at most this many parts. */
const maxJoined = 5;

function searchWord(word: string, index = 0, words: readonly string[] = [word]): SearchWord {
  const form = comparedForm(word);
  const following = words.slice(index, index + maxJoined).map(comparedForm);
  const joined = following.slice(1).map((_, more) => {
    const run = following.slice(0, more + 2).join('');
    return hasDigit(run) ? cutWord(run) : unmatchableWord;
  });
  return { id: cutWord(word), form, key: indexKey(form), joined };
}

const hasDigit = (text: string): boolean => /\p{N}/u.test(text);

/** Every row that has this text as one of its kept words has a key beginning with this. */
export function keyOfText(text: string): string {
  const [word = ''] = splitWords(text);
  return searchWord(word).key;
}

/** All forms that words of a row are compared with: those of the words, and of words that are joined. */
export function searchForms({ words }: SearchQuery): readonly string[] {
  const joined = words.flatMap((word) => word.joined.filter((form) => form !== unmatchableWord));
  return [...new Set([...words.map(({ form }) => form), ...joined])];
}

/** Whether every word was found: itself, as an id, or joined with its neighbours. */
export function isCovered({ words }: SearchQuery, isFound: (form: string) => boolean, ids: readonly string[]): boolean {
  const reached = new Set([0]);
  for (const [index, { id, form, joined }] of words.entries()) {
    if (!reached.has(index)) continue;
    if (ids.includes(id) || isFound(form)) reached.add(index + 1);
    for (const [more, run] of joined.entries()) if (isFound(run)) reached.add(index + 2 + more);
  }
  return reached.has(words.length);
}

/** The terms that a row is found by: the beginning of a word, or a complete id. */
export interface SearchTerms extends Pick<RowWords, 'forms'> {
  readonly ids: readonly string[];
}

export function matchesSearch(search: SearchQuery, { forms, ids }: SearchTerms): boolean {
  if (ids.includes(search.whole)) return true;
  return isCovered(search, (searched) => forms.some((form) => beginsWith(form, searched)), ids);
}

const maxIndexedWords = 8;

/** The keys to look up in an index, and whether what they find is all that the search compares. */
export interface IndexedKeys {
  readonly keys: readonly string[];
  /** Whether every word is looked up. If not, the rows that are found have to be compared. */
  readonly isComplete: boolean;
  /** Those of the keys that every matching row has, unless it is found by an id. */
  readonly required: readonly string[];
}

/**
 * A row that matches has a key that begins with each word, or has its id. A word that is the beginning of another one needs no
 * look-up of its own. A word that was joined with the one before it is found by the key of that one, so only the first word is
 * required if words can be joined. Of many words the longest are the most selective.
 */
export function indexedKeys({ words }: SearchQuery): IndexedKeys {
  const longestFirst = [...new Map(words.map((word) => [word.key, word])).values()].sort(
    (one, other) => other.key.length - one.key.length,
  );
  const hasJoined = words.some(({ joined }) => joined.some((form) => form !== unmatchableWord));
  const needed = longestFirst.filter(
    ({ form }, index) => hasJoined || !longestFirst.slice(0, index).some((longer) => longer.form.startsWith(form)),
  );
  const keys = needed.map(({ key }) => key).slice(0, maxIndexedWords);
  const first = words[0]?.key ?? '';
  const isComplete = keys.length === needed.length;
  if (!hasJoined) return { keys, isComplete, required: keys };
  return { keys: isComplete ? keys : [...new Set([first, ...keys])], isComplete, required: [first] };
}

/** Returns an id in the form in which ids are compared. */
export function normalizeId(text: string): string {
  return [...splitWords(text).map(cutWord).join(' ')].slice(0, maxIdLength).join('');
}
