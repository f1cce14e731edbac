import { activeTerms } from '../members/next-term.ts';
import type { TermRecord } from '../members/term.ts';
import type { PassageLog } from './evaluate.ts';

/** The first time that a member was admitted to an event. */
export interface Entry {
  readonly eventId: number;
  readonly atUnix: number;
}

/** Returns the entry that the passages of a member at an event contain; undefined if the member was not admitted. */
export function entryOf(eventId: number, { passages, firstSortKey }: PassageLog): Entry | undefined {
  const first = passages.find(({ direction }) => direction === 'in');
  return first === undefined || firstSortKey === null ? undefined : { eventId, atUnix: first.atUnix };
}

/**
 * How many events the member was admitted to in the term of a second. The time before the first term, of an imported member, is
 * a term too.
 */
export function entriesInTerm(entries: readonly Entry[], terms: readonly TermRecord[], atUnix: number): number {
  const starts = activeTerms(terms).map(({ fromUnix }) => fromUnix);
  const from = starts.findLast((start) => start <= atUnix) ?? Number.NEGATIVE_INFINITY;
  const until = starts.find((start) => start > atUnix) ?? Number.POSITIVE_INFINITY;
  return entries.filter((entry) => entry.atUnix >= from && entry.atUnix < until).length;
}
