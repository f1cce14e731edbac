/** The words of a row: what a search compares, and the keys of the items by which a search finds the row. */
export interface RowWords {
  readonly forms: readonly string[];
  readonly keys: readonly string[];
}

/**
 * Keeps at most this many keys: of every field the first word, then of every field the second, and so on. A word whose key is a
 * prefix of a kept key needs no key of its own. A row is found by exactly the words that are kept.
 */
export function rowWords(fields: readonly (readonly string[])[], maxKeys: number): RowWords {
  const words = interleave(fields).map((form) => ({ form, key: indexKey(form) }));
  const keys: string[] = [];
  for (const { key } of words) {
    const shorter = keys.findIndex((kept) => key.startsWith(kept));
    if (shorter !== -1) keys[shorter] = key;
    else if (keys.length < maxKeys && !keys.some((kept) => kept.startsWith(key))) keys.push(key);
  }
  const isKept = (key: string): boolean => keys.some((kept) => kept.startsWith(key));
  return { forms: [...new Set(words.filter(({ key }) => isKept(key)).map(({ form }) => form))], keys };
}

/**
 * The words of a row that are found by one of its keys: those whose key is a beginning of it. A word is left out if it is the
 * beginning of another one. Undefined if the key itself is the only word.
 */
export function formsOfKey({ forms }: RowWords, key: string): readonly string[] | undefined {
  const own = forms.filter((form) => key.startsWith(indexKey(form)));
  const needed = own.filter(
    (form) => hasUmlaut(form) || !own.some((other) => other !== form && beginsWith(other, form)),
  );
  return needed.length === 1 && needed[0] === key ? undefined : needed;
}

const hasUmlaut = (form: string): boolean => /[äöü]/u.test(form);

function interleave(lists: readonly (readonly string[])[]): string[] {
  const rounds = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat();
}

/**
 * The key under which a word is stored and looked for. `Müller`, `Mueller` and `Muller` have the same one, so a row needs one
 * item for all spellings. What is found by it is still compared with `beginsWith`, because `Michal` and `Michael` also share a key.
 * The key of a word's prefix is a prefix of the word's key.
 */
export function indexKey(form: string): string {
  return form.replace(/[äöü]/gu, (letter) => plainLetters[letter] ?? letter).replace(/(?<=[aou])e+/gu, '');
}

const plainLetters: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u' };

/** Whether a word of a row begins with a search word. An ä of the row is an `a` or an `ae`; ö and ü likewise. */
export function beginsWith(form: string, searched: string): boolean {
  if (!hasUmlaut(form)) return form.startsWith(searched);
  // The lengths of the parts of the search word that the letters so far can be.
  let lengths = new Set([0]);
  for (const letter of form) {
    if (lengths.has(searched.length)) return true;
    const plain = plainLetters[letter];
    const spellings = plain === undefined ? [letter] : [plain, `${plain}e`];
    lengths = new Set(
      [...lengths].flatMap((length) =>
        spellings
          .filter((spelling) => searched.startsWith(spelling, length))
          .map((spelling) => length + spelling.length),
      ),
    );
  }
  return lengths.has(searched.length);
}
