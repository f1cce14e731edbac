import { normalizeBarcode } from '../scans/scan.ts';
import { matchesSearch, normalizeId, type SearchQuery } from '../search/query.ts';
import { formsOfKey, type RowWords, rowWords } from '../search/row-words.ts';
import { codeWords, emailWords, fieldWords } from '../search/text.ts';

/** What a member is searched by. The names and the address are the member's own, which may differ from the customer's. */
interface SearchedFields {
  readonly memberNumber: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  readonly mobileNumber: string | null;
  readonly postcode: string | null;
}

interface SearchedIds {
  readonly memberId: number;
  readonly userId: number | null;
  readonly barcode: string | null;
}

/** As many as an order keeps. The row has a copy of them, and with all of them it should stay small. */
const maxWords = 20;

/** The words that a member is found by; the beginning of a word is enough. */
function memberWords(member: SearchedFields): RowWords {
  const fields = [
    codeWords(member.memberNumber),
    fieldWords(member.lastName),
    fieldWords(member.firstName),
    emailWords(member.emailAddress),
    codeWords(member.mobileNumber),
    codeWords(member.postcode),
  ];
  return rowWords(fields, maxWords);
}

/** The ids that a member is found by; only the complete id matches. */
function memberIds({ memberId, userId, barcode }: SearchedIds): string[] {
  const card = normalizeId(barcode ?? '');
  // It is looked up by what was typed, without accents. A barcode with an accent is not found so.
  const isFound = card !== '' && normalizeBarcode(card) === normalizeBarcode(barcode ?? '');
  return [String(memberId), ...(userId === null ? [] : [String(userId)]), ...(isFound ? [card] : [])];
}

export function memberMatches(member: SearchedFields & SearchedIds, search: SearchQuery): boolean {
  return matchesSearch(search, { ...memberWords(member), ids: memberIds(member) });
}

/** Between the key of a word and the form in which it is compared, if that differs. No word contains it. */
const formSeparator = ' ';

/** The words of a member as its row keeps them. */
function searchWords(member: SearchedFields): string[] {
  const words = memberWords(member);
  return words.keys.flatMap((key) =>
    (formsOfKey(words, key) ?? [key]).map((form) => (form === key ? key : `${key}${formSeparator}${form}`)),
  );
}

export function parseSearchWord(word: string): { readonly key: string; readonly form: string } {
  const [key = '', form = key] = word.split(formSeparator);
  return { key, form };
}

interface WordedMember extends SearchedFields {
  /** The words that the tree has of the member; null in a row of a release that knew none. */
  readonly words: string[] | null;
}

/**
 * The words that the tree has after a change. If the change concerns no word, they stay what they are, also in a row that has to be
 * migrated: the transaction of a renewal has no room for words.
 */
export function wordsAfter(before: WordedMember | undefined, after: SearchedFields): string[] | null {
  const words = searchWords(after);
  return before !== undefined && isSame(searchWords(before), words) ? before.words : words;
}

/** Whether the tree has the words of the member, as its row says. */
export function hasOwnWords(member: WordedMember): boolean {
  return member.words !== null && isSame(member.words, searchWords(member));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((word, index) => word === others[index]);
}
