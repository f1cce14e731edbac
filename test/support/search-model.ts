/** The rules of search once more, written in the simplest way: every spelling and every beginning of a text is listed. */

export interface SearchedTexts {
  readonly texts: readonly (string | null)[];
  /** Email addresses, which are not found by their top-level domain alone. */
  readonly emails?: readonly (string | null)[];
  /** Mobile numbers and postcodes, which are also found without their spaces. */
  readonly codes?: readonly (string | null)[];
  readonly ids: readonly string[];
}

const equivalents: readonly (readonly [string, string])[] = [
  ...[...'ςøłđı’‘ʼ'].map((letter, index) => [letter, "σoldi'''".charAt(index)] as const),
  ...(['ßss', 'æae', 'œoe'] as const).map(([letter = '', ...others]) => [letter, others.join('')] as const),
];
export const folded = (text: string | null): string =>
  equivalents.reduce(
    (known, [letter, other]) => known.replaceAll(letter, other),
    (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
  );
const tokens = (text: string): string[] =>
  folded(text.replaceAll('´', "'"))
    .normalize('NFC')
    .split(/[\s\p{C}]+/u)
    .filter((token) => token !== '');
const first = (text: string, count: number): string => [...text].slice(0, count).join('');

/** `Jürg Müller` → `Jurg Muller`, `Jurg Mueller`, `Juerg Muller`, `Juerg Mueller`. */
function spellings(text: string): string[] {
  const [before = '', ...rest] = text
    .replaceAll('´', "'")
    .normalize('NFKD')
    .split(/(?<=[AOUaou])\u0308/u);
  return rest.reduce((known, part) => known.flatMap((one) => [`${one}${part}`, `${one}e${part}`]), [before]);
}

const isLetterOrDigit = (character: string | undefined): boolean => /^[\p{L}\p{N}]$/u.test(character ?? '');
const isCjk = (character: string | undefined): boolean =>
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}]$/u.test(character ?? '');
const withoutMarks = (token: string): string => [...token].filter(isLetterOrDigit).join('') || token;

function beginnings(token: string): string[] {
  const characters = [...token];
  const isBeginning = (index: number): boolean => {
    const [before, here] = [characters[index - 1], characters[index]];
    return index === 0 || (isLetterOrDigit(here) && (!isLetterOrDigit(before) || isCjk(here) || isCjk(before)));
  };
  return characters.flatMap((_, index) => (isBeginning(index) ? [withoutMarks(characters.slice(index).join(''))] : []));
}

export function modelFinds({ texts, emails = [], codes = [], ids }: SearchedTexts, query: string): boolean {
  const wordsOf = (text: string | null): string[] =>
    spellings(text ?? '')
      .flatMap(tokens)
      .flatMap(beginnings);
  const wordsOfEmail = (email: string | null): string[] => {
    const topLevel = tokens(/\.([^.@]+)$/u.exec(email ?? '')?.[1] ?? '').map(withoutMarks);
    return wordsOf(email).filter((word) => !topLevel.includes(word));
  };
  const known = [...[...texts, ...codes].flatMap(wordsOf), ...emails.flatMap(wordsOfEmail)];
  const joined = codes.map((code) => withoutMarks(tokens(code ?? '').join('')));
  const words = [...known, ...joined];
  const knownIds = ids.map((id) => tokens(id).join(' '));
  const wanted = tokens(query);
  if (wanted.length === 0) return query.trim() === '';
  const isFound = (token: string): boolean =>
    knownIds.includes(token) || words.some((word) => word.startsWith(first(withoutMarks(token), 100)));
  // Neighbouring words with a digit may be one word of the row.
  const isFoundAsOne = (run: readonly string[]): boolean => {
    const joined = run.map(withoutMarks).join('');
    return /\p{N}/u.test(joined) && words.some((word) => word.startsWith(first(joined, 100)));
  };
  const areFound = (left: readonly string[]): boolean =>
    left.length === 0 ||
    [1, 2, 3, 4, 5]
      .filter((length) => length <= left.length)
      .some((length) => {
        const run = left.slice(0, length);
        return (length === 1 ? run.every(isFound) : isFoundAsOne(run)) && areFound(left.slice(length));
      });
  return areFound(wanted) || knownIds.includes(wanted.join(' '));
}
