/** What the descriptions of all search parameters say about the comparison of words. */
export const searchRules = `Case, accents and the punctuation inside a word are ignored: obrien finds O'Brien. The letters ä, ö and ü are
also found as ae, oe and ue. Chinese, Japanese and Korean text is found by any run of its characters.`;
