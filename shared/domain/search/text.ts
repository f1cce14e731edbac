/**
 * Normalizes text for comparison: compatibility forms are unified, diacritical marks are removed, letters are lower case.
 * `Müller`, `MULLER` and `ｍüller` are equal. A final sigma becomes a normal one, so the prefix `νικοσ` finds `Νίκος`.
 * Letters with a stroke have no separate mark, so they are replaced; phones write O’Brien where keyboards write O'Brien.
 */
export function fold(text: string): string {
  return replaceLetters(text.normalize('NFKD').replace(/\p{M}/gu, ''));
}

function replaceLetters(text: string): string {
  return text.toLowerCase().replace(replaced, (letter) => replacements.get(letter) ?? letter);
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

/** The folded words of a text between spaces and control characters, in order. */
export function splitWords(text: string): string[] {
  return splitAtSpaces(fold(withApostrophes(text)));
}

/** NFKD makes a space and a mark of the acute accent that some write for an apostrophe. */
function withApostrophes(text: string): string {
  return text.replaceAll('´', "'");
}

/**
 * The words of a field in the form in which they are compared, the most important first: the words between spaces, and the rest
 * of each word after a punctuation mark (`Jean-Luc` is also `luc`). Every Chinese, Japanese or Korean character begins a word,
 * and so does the character after one. Punctuation inside a word is left out.
 */
export function fieldWords(text: string | null): string[] {
  const words = splitAtSpaces(foldExceptUmlauts(text ?? ''));
  return [...new Set(words.flatMap((word) => [word, ...restsOf(word)]).map(comparedForm))];
}

/** `SW1A 1AA` is also found by `sw1a1aa`, and `+44 7700 900-123` by `447700900123`. */
export function codeWords(text: string | null): string[] {
  const joined = splitAtSpaces(foldExceptUmlauts(text ?? '')).join('');
  return joined === '' ? [] : [...new Set([comparedForm(joined), ...fieldWords(text)])];
}

/**
 * The address, its domain and the rest of the domain after each mark, then the rest of the mailbox after each mark. The top-level
 * domain alone is not a word: `com` would find nearly every row, and every row would pay for it.
 */
export function emailWords(emailAddress: string | null): string[] {
  const [address = '', ...others] = fieldWords(emailAddress);
  if (address === '') return [];
  const domain = emailAddress?.slice(emailAddress.lastIndexOf('@') + 1) ?? '';
  const [topLevel] = fieldWords(/\.([^.]+)$/u.exec(domain)?.[1] ?? null);
  const rests = [...fieldWords(domain), ...others].filter((word) => word !== topLevel);
  return [...new Set([address, ...rests])];
}

/**
 * Leaves out the punctuation of a folded word, unless the word is nothing else. Hangul syllables, which folding takes apart, are
 * characters again. Very long words are cut.
 */
export function comparedForm(word: string): string {
  return cutWord((word.replace(/[^\p{L}\p{N}]+/gu, '') || word).normalize('NFC'));
}

/**
 * Folds as `fold` does, but keeps ä, ö and ü, which are found as `a` and as `ae`. Hangul syllables, which NFKD takes apart, are
 * characters again.
 */
function foldExceptUmlauts(text: string): string {
  const plain = withApostrophes(text)
    .normalize('NFKD')
    .replace(/(?<![AOUaou])\u0308|(?!\u0308)\p{M}/gu, '');
  return replaceLetters(plain).normalize('NFC');
}

const cjk = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}]';
const beginnings = new RegExp(`(?:(?<![\\p{L}\\p{N}])|(?<=${cjk})|(?=${cjk}))[\\p{L}\\p{N}]`, 'gu');

function restsOf(word: string): string[] {
  return [...word.matchAll(beginnings)].map(({ index }) => word.slice(index));
}

function splitAtSpaces(text: string): string[] {
  return text.split(/[\s\p{C}]+/u).filter((word) => word !== '');
}

export function cutWord(word: string): string {
  return [...word].slice(0, maxWordLength).join('');
}
