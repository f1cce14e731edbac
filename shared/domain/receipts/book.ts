import type { DocumentKind } from './document.ts';
import { numberIn, type ReceiptSettings, seriesOf, settingsAt } from './settings.ts';

/** The receipt book of an organisation: its settings, the numbers that were given, and how far it has followed the journal. */
export interface ReceiptBook {
  /** The oldest first. */
  readonly settings: readonly [ReceiptSettings, ...ReceiptSettings[]];
  /** How many numbers each series has given, which is also the last one. */
  readonly counts: Readonly<Record<string, number>>;
  /** The last entry of the journal that has its document, or needs none; empty before the first. */
  readonly after: string;
  /** After this place the worker follows the journal once more, up to `after`, and issues what was passed over; undefined: it does not. */
  readonly again?: string | undefined;
  /** The numbers that were given out of the journal's order, because their entries were passed over: by document. */
  readonly late?: Readonly<Record<string, string>> | undefined;
  /** Until then one worker has the book. */
  readonly leasedUntilUnix: number;
  /** The last document whose buyer was removed, because the years are over for which it is kept; empty before the first. */
  readonly forgotten: string;
  readonly version: number;
}

/** The place in the journal after which the worker goes on. */
export const placeOf = ({ after, again = after }: ReceiptBook): string => (again < after ? again : after);

/** The book after the entries up to this one have their documents. Ends what was to be followed once more when it has caught up. */
export function movedTo(book: ReceiptBook, entryId: string): ReceiptBook {
  return entryId < book.after ? { ...book, again: entryId } : { ...book, after: entryId, again: undefined };
}

/** The book with a number that is given to an entry before its place in the journal. */
export function withLate(book: ReceiptBook, documentId: string, number: string): ReceiptBook {
  return { ...book, late: { ...book.late, [documentId]: number } };
}

/** Gives the next number of the series that a document belongs to by its time. */
export function withNumber(
  book: ReceiptBook,
  kind: DocumentKind,
  issued: { readonly unix: number; readonly timezone: string },
): { readonly book: ReceiptBook; readonly number: string; readonly settings: ReceiptSettings } {
  const settings = settingsAt(book.settings, issued.unix) ?? book.settings[0];
  const series = seriesOf(settings, kind, issued);
  const count = (book.counts[series] ?? 0) + 1;
  return { book: { ...book, counts: { ...book.counts, [series]: count } }, number: numberIn(series, count), settings };
}
