/**
 * How text is compared: compatibility forms unified, marks dropped, lower case. `Müller`, `MULLER` and `ｍüller` are one. A
 * sigma looks different at the end of a word, and what is searched for is often the beginning of one: `Νίκος` by `νικοσ`.
 * Letters with a stroke have no mark to drop, and telephones write O’Brien where keyboards write O'Brien.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(unmarked, (letter) => plain.get(letter) ?? letter);
}

const plain = new Map([
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
const unmarked = new RegExp(`[${[...plain.keys()].join('')}]`, 'gu');

const longestWord = 100;

/** The words of a query: what stands between spaces. Each must be the beginning of a word of the row. */
export function queryWords(query: string): string[] {
  return [...new Set(spaced(query))];
}

/**
 * The words of a field that a search finds it by: what stands between spaces (`o'brien`, `anna@example.com`), and the rest of
 * those after each mark in them (`brien`, `example.com`, `com`).
 */
export function fieldWords(text: string | null): string[] {
  return [...new Set(spaced(text ?? '').flatMap((word) => [word, ...restsAfterMarks(word)]))];
}

function restsAfterMarks(word: string): string[] {
  const marks = word.matchAll(/[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/gu);
  return [...marks].map(({ index, 0: mark }) => word.slice(index + mark.length));
}

/** What stands between spaces and control characters, in order, folded; endlessly long words are cut. */
export function spaced(text: string): string[] {
  return fold(text)
    .split(/[\s\p{C}]+/u)
    .filter((word) => word !== '')
    .map((word) => [...word].slice(0, longestWord).join(''));
}

/** The first of each, then the second of each: when words are too many, every field keeps some. */
export function inTurns(lists: readonly (readonly string[])[]): string[] {
  const rounds = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat();
}
