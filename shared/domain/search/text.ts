/**
 * Normalizes text for comparison: compatibility forms are unified, diacritical marks are removed, letters are lower case.
 * `Müller`, `MULLER` and `ｍüller` are equal. A final sigma becomes a normal one, so that the prefix `νικοσ` finds `Νίκος`.
 * Letters with a stroke have no separate mark, so they are replaced; phones write O’Brien where keyboards write O'Brien.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(replaced, (letter) => replacements.get(letter) ?? letter);
}

const replacements = new Map([
  ['ς', 'σ'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ı', 'i'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['’', "'"],
  ['‘', "'"],
  ['ʼ', "'"],
]);
const replaced = new RegExp(`[${[...replacements.keys()].join('')}]`, 'gu');

const maxWordLength = 100;

/** The words of a query, separated by spaces. Each must be a prefix of a word of the row. */
export function queryWords(query: string): string[] {
  return [...new Set(splitWords(query))];
}

/**
 * The search words of a field: the words between spaces (`o'brien`, `anna@example.com`), and the rest of each word after a
 * punctuation mark (`brien`, `example.com`, `com`).
 */
export function fieldWords(text: string | null): string[] {
  return [...new Set(splitWords(text ?? '').flatMap((word) => [word, ...suffixesAfterMarks(word)]))];
}

function suffixesAfterMarks(word: string): string[] {
  const marks = word.matchAll(/[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/gu);
  return [...marks].map(({ index, 0: mark }) => word.slice(index + mark.length));
}

/** Splits a text at spaces and control characters, in order. The words are folded; very long ones are cut. */
export function splitWords(text: string): string[] {
  return fold(text)
    .split(/[\s\p{C}]+/u)
    .filter((word) => word !== '')
    .map((word) => [...word].slice(0, maxWordLength).join(''));
}

/** The first of each list, then the second of each: if there are too many words, every field keeps some. */
export function interleave(lists: readonly (readonly string[])[]): string[] {
  const rounds = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat();
}
