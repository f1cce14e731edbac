import { idText } from '../ids.ts';
import { fold } from '../search/text.ts';
import { type CustomerRecord, lastChangedUnixOf } from './customer.ts';

/** What customers can be sorted by. */
export type CustomerSort = 'added' | 'updated' | 'first' | 'last' | 'email';

const secondDigits = 10;
/** Names that agree so far are as good as equal, and keys have a limit. */
const comparedCharacters = 150;

/**
 * Where a customer stands in an order: the value, then the id, so that ties break on it. Sorting these texts by their UTF-8
 * bytes is the order itself, in memory as in the table.
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

/** Before everybody who changed after this second, and after everybody else. */
export function firstSortKeyChangedAfter(unix: number): string {
  return changedSortKey(Math.min(unix + 1, 10 ** secondDigits - 1), '');
}

/** The id at the end of a place. */
export function idOfSortKey(sortKey: string): string {
  return sortKey.slice(-idText(0).length);
}

function changedSortKey(unix: number, id: string): string {
  return `${String(unix).padStart(secondDigits, '0')}#${id}`;
}

/** A NUL in a text counts as a space: in a place it ends the text. */
function sortText(text: string | null): string {
  return [...fold(text ?? '').replaceAll('\u0000', ' ')].slice(0, comparedCharacters).join('');
}
