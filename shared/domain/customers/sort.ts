import { idText } from '../ids.ts';
import { fold } from '../search/text.ts';
import { type CustomerRecord, emailIdentity, lastChangedUnixOf } from './customer.ts';

/** The sort orders of customers. */
export type CustomerSort = 'added' | 'updated' | 'first' | 'last' | 'email';

const secondDigits = 10;
/** Only this many characters are compared, because DynamoDB limits the length of keys. */
const comparedCharacters = 150;

/**
 * The sort key of a customer: the value, then the id, which breaks ties. The order of these texts by their UTF-8 bytes is the
 * sort order, in memory and in the table.
 */
export function sortKeyOf(sort: CustomerSort, record: CustomerRecord): string {
  const id = idText(record.userId);
  switch (sort) {
    case 'added':
      return id;
    case 'updated':
      return changedSortKey(lastChangedUnixOf(record), id);
    case 'first':
      return `${sortText(record.firstName)}\u0000${id}`;
    case 'last':
      return `${sortText(record.lastName)}\u0000${id}`;
    case 'email':
      return `${sortText(record.emailAddress)}\u0000${id}`;
  }
}

/** What the sort keys of all customers with an email address start with, in whatever spelling they have it. */
export function emailSortPrefix(emailAddress: string): string {
  return `${sortText(emailIdentity(emailAddress))}\u0000`;
}

/** A sort key that is lower than those of all customers that changed after this second, and higher than all others. */
export function firstSortKeyChangedAfter(unix: number): string {
  return changedSortKey(Math.min(unix + 1, 10 ** secondDigits - 1), '');
}

/** Returns the id at the end of a sort key. */
export function idOfSortKey(sortKey: string): string {
  return sortKey.slice(-idText(0).length);
}

function changedSortKey(unix: number, id: string): string {
  return `${String(unix).padStart(secondDigits, '0')}#${id}`;
}

/** A NUL in a text is replaced by a space, because it separates the text from the id in a sort key. */
function sortText(text: string | null): string {
  return [...fold(text ?? '').replaceAll('\u0000', ' ')].slice(0, comparedCharacters).join('');
}
