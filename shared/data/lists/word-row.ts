import * as v from 'valibot';
import { formsOfKey, type RowWords } from '../../domain/search/row-words.ts';
import type { ItemKey } from '../table/keys.ts';
import type { RowRange } from './range-reader.ts';

/** What a search word of a row says about the row without reading it. */
export interface WordEntry {
  readonly id: number;
  /** The words of the row that are found by this one, in the form in which they are compared. */
  readonly forms: readonly string[];
  /** The key of the word, and what follows it: the position of the row. */
  readonly key: string;
  readonly tail: string;
}

type OfWord = 'forms' | 'key' | 'tail';

/** Between the key of a word and the position of its row. */
export const wordSeparator = '\u0000';
const formSeparator = ' ';

/** `key` is followed by the position or the id of the row. `f` is stored only if it differs from the key. */
const WordItem = v.looseObject({ sk: v.string(), f: v.optional(v.string()) });

/**
 * The rows by which a search finds a row: one for each key. They contain only what filters and sort orders need, so a
 * search can count many matches for few read units (ADR 0033).
 */
export function wordItems(
  words: RowWords,
  partitionOf: (firstCharacter: string) => string,
  tail: string,
  fields: Readonly<Record<string, unknown>> = {},
): (ItemKey & Readonly<Record<string, unknown>>)[] {
  return words.keys.map((key) => {
    const forms = formsOfKey(words, key);
    return {
      pk: partitionOf(firstCharacter(key)),
      sk: `${key}${wordSeparator}${tail}`,
      ...fields,
      ...(forms !== undefined && { f: forms.join(formSeparator) }),
    };
  });
}

/** One partition per first character, in which words with the same prefix are neighbours. */
function firstCharacter(key: string): string {
  const [first = ''] = key;
  return first;
}

/** The words that start with a key. `entryOf` gets what follows the key, and the item. */
export function wordRange<Entry extends WordEntry>(
  partitionOf: (firstCharacter: string) => string,
  entryOf: (tail: string, item: Readonly<Record<string, unknown>>) => Omit<Entry, OfWord>,
): (prefix: string) => RowRange<Omit<Entry, OfWord> & Pick<WordEntry, OfWord>> {
  const parse = (item: unknown) => {
    const stored = v.parse(WordItem, item);
    const [key = '', tail = ''] = stored.sk.split(wordSeparator);
    return { ...entryOf(tail, stored), forms: stored.f?.split(formSeparator) ?? [key], key, tail };
  };
  return (prefix) => ({ partition: partitionOf(firstCharacter(prefix)), prefix, parse });
}
